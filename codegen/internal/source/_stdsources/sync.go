package sync

type Pool struct{ New func() any }

func (p *Pool) Get() any
func (p *Pool) Put(x any)
func OnceValue[T any](f func() T) func() T { return f }
