// Package other stands for a package that pgmc generates.
package other

import "errors"

var ErrImpossible, ErrState = errors.New("impossible"), errors.New("state")

type Smoke uint8

type Evidence struct{ Smoke Smoke }

func (*Evidence) Set(name, value string) error { return nil }

type Engine struct{}

func New() *Engine { return &Engine{} }

func (*Engine) LogProb(ev *Evidence) (float64, error) { return 0, nil }

func (*Engine) Check() error { return nil }
