package ancestors_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/learn/ancestors"
)

// The edges 0-1, 2-3 and then 1-2 make a chain of four; 65 nodes take two words each.
func TestClosure(t *testing.T) {
	c := ancestors.New(65)
	c.Add(0, 1)
	c.Add(2, 64)
	if c.Has(64, 0) {
		t.Error("0 is an ancestor of 64 before 1 and 2 are joined")
	}
	c.Add(1, 2)
	for _, x := range []struct {
		v, a int
		want bool
	}{{64, 0, true}, {64, 1, true}, {2, 0, true}, {0, 64, false}, {0, 0, false}, {3, 0, false}} {
		if got := c.Has(x.v, x.a); got != x.want {
			t.Errorf("Has(%d, %d) is %v", x.v, x.a, got)
		}
	}
	if !c.Closes(64, 0) || !c.Closes(5, 5) || c.Closes(0, 64) {
		t.Error("which edges close cycles is wrong")
	}
}
