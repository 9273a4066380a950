package group_test

import (
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/group"
)

// Wait returns after all goroutines, and panics as one of them did, with its stack.
func TestWait(t *testing.T) {
	var g group.Group
	var done [4]bool
	for i := range done {
		g.Go(func() { done[i] = true })
	}
	if g.Wait(); done != [...]bool{true, true, true, true} {
		t.Errorf("after Wait %v is done", done)
	}
	g.Go(culprit)
	defer func() {
		p, ok := recover().(*group.Panic)
		if !ok || p.String() != "as wanted" || !strings.Contains(string(p.Stack), "group_test.culprit") {
			t.Errorf("got %v", p)
		}
	}()
	g.Wait()
	t.Error("no panic")
}

func culprit() { panic("as wanted") }
