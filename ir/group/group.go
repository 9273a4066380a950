// Package group runs goroutines whose panics reach the goroutine that waits for them, where they
// can be recovered. It is sync.WaitGroup otherwise.
package group

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// Group is a group of goroutines. The zero value is an empty one.
type Group struct {
	wait  sync.WaitGroup
	mu    sync.Mutex
	first *Panic
}

// Panic is the value of a panic in a goroutine of a group.
type Panic struct {
	Value any
	Stack []byte // of the goroutine
}

// String returns the value of the panic.
func (p *Panic) String() string { return fmt.Sprint(p.Value) }

// Go calls f in a new goroutine of the group.
func (g *Group) Go(f func()) {
	g.wait.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				g.mu.Lock()
				defer g.mu.Unlock()
				if g.first == nil {
					g.first = &Panic{p, debug.Stack()}
				}
			}
		}()
		f()
	})
}

// Wait waits until all goroutines have ended. If one of them panicked, Wait panics with a *Panic.
func (g *Group) Wait() {
	g.wait.Wait()
	if g.first != nil {
		panic(g.first)
	}
}
