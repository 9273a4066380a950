package chowliu_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/learn/chowliu"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// The expected counts of 4,000 rows of A, uniform on four states, B and C, its bits, flipped with
// probability 0.15, and D, which depends on B and C. The forest is A-B, A-C, A-D; the gains of its
// edges were computed independently.
func TestDiamond(t *testing.T) {
	s := learnertest.Expected(t, learnertest.Vars("A", 4, "B", 2, "C", 2, "D", 2), 4000, func(x []int) float64 {
		keep := map[bool]float64{true: 0.85, false: 0.15}
		d := []float64{0.1, 0.2, 0.2, 0.9}[2*x[1]+x[2]]
		return 0.25 * keep[x[0]>>1 == x[1]] * keep[x[0]&1 == x[2]] * []float64{1 - d, d}[x[3]]
	})
	for _, c := range []struct {
		score      string
		ab, ac, ad float64
	}{
		{"loglik", 1081.7524, 1081.7524, 391.4161},
		{"bic", 1069.3113, 1069.3113, 378.975},
	} {
		r := learnertest.Learn(t, chowliu.Learner, &learner.Job{Train: s, Cores: 1}, "-score", c.score)
		if got := learnertest.Parents(r); got != "A| B|A C|A D|A" {
			t.Fatalf("%s: got %s; want A-B, A-C, A-D", c.score, got)
		}
		for i, want := range []float64{c.ab, c.ac, c.ad} {
			if got := r.Report.Strengths[i].Strength; math.Abs(got-want) > 5e-5 {
				t.Errorf("%s: edge %d is worth %.4f; want %.4f", c.score, i, got, want)
			}
		}
	}
	learnertest.Error(t, chowliu.Learner, s, "score k2 depends on the directions of edges, which this learner leaves open; want another", "-score", "k2")
}
