package pc

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
)

// TestCritical has p-values by hand: 5 of the 10 pairs of 5 variables are tested. For fdr, 5 pairs
// without a test are dependent before all; the largest p-value that is at most its rank's share of
// .1 is .062, of rank 7.
func TestCritical(t *testing.T) {
	s := &skeleton{Partial: graph.New(5), tested: map[[2]int]separation{}}
	for i, p := range []float64{.08, .062, .5, .9, .03} {
		s.tested[[2]int{i, i + 1}] = separation{given: []int{}, best: p}
	}
	for kind, want := range map[string]float64{"": 1, "none": 1, "bonferroni": .01, "fdr": .062} {
		if kind == "fdr" {
			s.tested[[2]int{0, 1}] = separation{given: []int{}, best: .081} // of rank 8: above .08
		}
		if got := (correction{kind, .1}).critical(s); math.Abs(got-want) > 1e-15 {
			t.Errorf("%q: %v; want %v", kind, got, want)
		}
	}
	s.tested = map[[2]int]separation{{0, 1}: {best: 1}, {0, 2}: {best: 1}}
	if got := (correction{"fdr", .1}).critical(s); !math.IsInf(got, -1) {
		t.Errorf("%v without a small p-value; want -Inf", got)
	}
}
