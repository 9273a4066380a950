package ldfm

import (
	"context"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// For rows of two pairs of copies and a coin, the smallest number of edges is one out of the root
// and one out of each state. They include the edges between copies, in one direction or the other.
// More edges have a higher likelihood.
func TestCut(t *testing.T) {
	p := func(x []int) float64 {
		if x[0] != x[1] || x[2] != x[3] {
			return 0
		}
		return [2]float64{.6, .4}[x[0]] * [2]float64{.7, .3}[x[2]] / 2
	}
	s := learnertest.Expected(t, learnertest.Vars("a", 2, "b", 2, "c", 2, "d", 2, "coin", 2), 1000, p)
	last := math.Inf(-1)
	for _, most := range []string{"11", "20", "40", "0"} {
		r := learnertest.Learn(t, Plain, &learner.Job{Train: s, Cores: 2}, "-alpha", "1", "-max-edges", most)
		e, d := begun(t, s, 1, false), r.Models[0].Forest()
		e.epsilon = 1e-6
		if n := e.edges(d); n > map[string]int{"11": 11, "20": 20, "40": 40, "0": 90}[most] || n < 11 {
			t.Errorf("at most %s edges: %d", most, n)
		}
		if r.Report.Total < last {
			t.Errorf("at most %s edges: %v; with fewer %v", most, r.Report.Total, last)
		}
		last = r.Report.Total
		if most != "11" {
			continue
		}
		for _, state := range []int{0, 1, 4, 5} {
			if there, back := d.Weights[(1+state)*10+state+2], d.Weights[(3+state)*10+state]; there < .99 && back < .99 {
				t.Errorf("the weights of the edges from state %d to its copy and back are %v and %v", state, there, back)
			}
		}
	}
	learnertest.Error(t, Plain, s, "at most 10 edges; want at least 11, one out of the root and one out of each state, or 0 for any number", "-max-edges", "10")
	learnertest.Error(t, Plain, s, "at most -1 edges; want 0 or more", "-max-edges", "-1")
	r := learnertest.Learn(t, Stopping, &learner.Job{Train: s, Cores: 2}, "-max-edges", "5")
	if list := r.Models[0].Check(); list.HasErrors() {
		t.Errorf("five edges with stop weights: %v", list.Err())
	}
}

// The objective does not fall when EM continues after a cut.
func TestCutObjective(t *testing.T) {
	s := sample(t, irtest.RandomForest(7, 5, 3, false, .3), 300)
	for _, alpha := range []float64{1, 0, -2} {
		for _, stop := range []bool{false, true} {
			e := begun(t, s.Train, 1, stop)
			e.alpha, e.epsilon, e.maxEdges = alpha, 1e-4, 30
			rounds, last := 0, math.Inf(-1)
			at, _, _, _ := e.fit(context.Background(), climb{Now: e.start()}, 60, func(at climb, x float64) error {
				if !at.Cut {
					return nil
				}
				if rounds++; x < last-1e-9*math.Abs(x) {
					t.Errorf("alpha %v, stop weights %v: from %v to %v", alpha, stop, last, x)
				}
				last = x
				return nil
			})
			if n := e.edges(at.Now); n > 30 || alpha == 1 && rounds < 3 {
				t.Errorf("alpha %v, stop weights %v: %d edges, %d rounds after the cut", alpha, stop, n, rounds)
			}
		}
	}
}
