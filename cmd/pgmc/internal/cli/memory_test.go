package cli

import (
	"context"
	"errors"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/addressspace"
)

// TestBounded runs commands that take ever more memory, that are interrupted, and that end.
func TestBounded(t *testing.T) {
	a := &App{Alone: true, MaxMem: 1} // bounds the process by leastMemory
	var kept [][]byte
	hungry := func(ctx context.Context, _ []string) error {
		for ctx.Err() == nil && len(kept) < 1<<10 {
			chunk := make([]byte, 1<<20)
			for i := range chunk {
				chunk[i] = 1
			}
			kept = append(kept, chunk)
		}
		return ctx.Err()
	}
	err := a.Bounded(1, "less", hungry)(context.Background(), nil)
	var large *MemoryError
	if !errors.As(err, &large) || large.Used <= leastMemory {
		t.Errorf("%d MiB: %v; want a MemoryError", len(kept), err)
	}
	kept = nil

	patient := func(ctx context.Context, _ []string) error {
		inner, cancel := context.WithCancel(ctx)
		defer cancel()
		<-inner.Done()
		return inner.Err()
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a.MaxMem = 1 << 30
	if err := a.Bounded(1, "less", patient)(ctx, nil); err != context.Canceled {
		t.Errorf("interrupted: %v; want %v", err, context.Canceled)
	}
	if err := a.Bounded(1, "less", func(context.Context, []string) error { return nil })(context.Background(), nil); err != nil {
		t.Error(err)
	}
}

// TestBoundedBeside checks that a process that runs something else is not bounded.
func TestBoundedBeside(t *testing.T) {
	a := &App{MaxMem: 1}
	outer := context.Background()
	err := a.Bounded(1, "less", func(ctx context.Context, _ []string) error {
		if ctx != outer {
			t.Error("the context is another one")
		}
		return nil
	})(outer, nil)
	if err != nil {
		t.Error(err)
	}
}

// TestAddressSpace checks what limits of the address space do to --max-mem.
func TestAddressSpace(t *testing.T) {
	for _, c := range []struct{ limit, want int64 }{
		{0, 2 << 30}, {8 << 30, 2 << 30}, {5 << 29, 512 << 20}, {addressspace.Reserved + leastMemory, leastMemory},
	} {
		a := &App{MaxMem: 2 << 30}
		if a.fitAddressSpace(c.limit); int64(a.MaxMem) != c.want {
			t.Errorf("limit %d: --max-mem %d; want %d", c.limit, int64(a.MaxMem), c.want)
		}
	}
}
