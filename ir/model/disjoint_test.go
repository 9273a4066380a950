package model_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Joined numbers have one representative: that of the first one.
func TestDisjointSets(t *testing.T) {
	s := model.NewDisjointSets(5)
	for _, x := range []struct {
		i, j int
		want bool
	}{{0, 1, true}, {1, 0, false}, {2, 3, true}, {3, 1, true}, {0, 2, false}, {4, 4, false}} {
		if got := s.Join(x.i, x.j); got != x.want {
			t.Errorf("Join(%d, %d) = %v; want %v", x.i, x.j, got, x.want)
		}
	}
	for i, want := range []int{2, 2, 2, 2, 4} {
		if got := s.Find(i); got != want {
			t.Errorf("Find(%d) = %d; want %d", i, got, want)
		}
	}
}
