package score_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/learn/score"
)

// TestCache checks that a cache returns the scores of its scorer, for any order of requests and of
// parents.
func TestCache(t *testing.T) {
	s := scorer(t, three(t, 100), "bdeu", 1)
	c := score.NewCache(s)
	for range 2 {
		for _, f := range [][]int{{0}, {1, 0}, {0, 1}, {2, 0, 1}, {2, 1, 0}, {2, 1}} {
			if got, want := c.Family(f[0], f[1:]...), s.Family(f[0], f[1:]...); got != want {
				t.Errorf("%v: got %v; want %v", f, got, want)
			}
		}
	}
}
