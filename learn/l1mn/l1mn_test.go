package l1mn_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/l1mn"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// An Ising chain a - b - c - d with the weight 1.5 for each pair that are both 1. The regressions
// find its edges and no others, and the weights are those of the chain, since the rows have its
// probabilities.
func TestChain(t *testing.T) {
	z := 0.0
	value := func(x []int) float64 {
		return math.Exp(1.5*float64(x[0]*x[1]+x[1]*x[2]+x[2]*x[3]) - 0.7*float64(x[0]+x[1]+x[2]+x[3]))
	}
	for i := range 16 {
		z += value([]int{i >> 3, i >> 2 & 1, i >> 1 & 1, i & 1})
	}
	s := learnertest.Expected(t, learnertest.Vars("a", 2, "b", 2, "c", 2, "d", 2), 5000, func(x []int) float64 { return value(x) / z })
	for _, join := range []string{"or", "and"} {
		r := learnertest.Learn(t, l1mn.Learner, &learner.Job{Train: s, Cores: 2}, "-l1", "20", "-join", join, "-weight-variance", "0", "-steps", "1000", "-tolerance", "1e-14")
		if got := learnertest.Parents(r); got != "a| b|ac c|d d|" {
			t.Fatalf("joined by %s: %s; want a chain", join, got)
		}
		for _, f := range r.Models[0].Factors {
			want := -0.7
			if len(f.Scope) == 2 {
				want = 1.5
			}
			if got := f.Dist.(*model.Features).List[0].Weight; math.Abs(got-want) > 1e-4 {
				t.Errorf("joined by %s: the weight of %v is %v; want %v", join, f.Scope, got, want)
			}
		}
	}
}

// c is almost "a or b". The penalty removes a weight from one regression of a pair and leaves it in
// the other: such a pair is an edge under "or", and none under "and".
func TestJoin(t *testing.T) {
	s := learnertest.Expected(t, learnertest.Vars("a", 2, "b", 2, "c", 2), 400, func(x []int) float64 {
		p := []float64{0.05, 0.6, 0.6, 0.9}[2*x[0]+x[1]]
		return []float64{1 - p, p}[x[2]] * []float64{0.9, 0.1}[x[0]] * []float64{0.5, 0.5}[x[1]]
	})
	edges := map[string]int{}
	for _, join := range []string{"or", "and"} {
		r := learnertest.Learn(t, l1mn.Learner, &learner.Job{Train: s, Cores: 1}, "-l1", "7", "-join", join)
		for _, f := range r.Report.Families {
			edges[join] += len(f.Parents)
		}
	}
	if edges["and"] >= edges["or"] || edges["and"] == 0 {
		t.Errorf("%v edges; want fewer by and", edges)
	}
}

// Three variables whose parity is even have independent pairs, and the learner fits pairs alone.
func TestParity(t *testing.T) {
	s := learnertest.Expected(t, learnertest.Vars("a", 2, "b", 2, "c", 2), 800, func(x []int) float64 {
		return []float64{0.25, 0}[x[0]^x[1]^x[2]]
	})
	r := learnertest.Learn(t, l1mn.Learner, &learner.Job{Train: s, Cores: 1})
	if want := 3 * 800 * math.Log(0.5); math.Abs(r.Report.Total-want) > 1 {
		t.Errorf("pseudo-log-likelihood %v; want that of independent variables, %v", r.Report.Total, want)
	}
}

// If the time does not suffice for a single regression, the variables are independent with their
// own probabilities.
func TestNoTime(t *testing.T) {
	s := learnertest.Expected(t, learnertest.Vars("a", 2, "b", 2), 8000, func(x []int) float64 { return []float64{0.9, 0.1}[x[0]] * []float64{0.2, 0.8}[x[1]] })
	r, err := learnertest.Make(t, l1mn.Learner).Learn(context.Background(), &learner.Job{Train: s, Cores: 1, MaxTime: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	entropy := 0.0
	for _, p := range []float64{0.9, 0.1, 0.2, 0.8} {
		entropy -= p * math.Log(p)
	}
	if got, want := learnertest.PseudoLogLikelihood(t, r.Models[0], s), -entropy; math.Abs(got-want) > 1e-3 {
		t.Errorf("pseudo-log-likelihood %v a row; want %v", got, want)
	}
}

func TestErrors(t *testing.T) {
	s := learnertest.New(t, learnertest.Vars("a", 2), [][]int{{0}, {1}}, nil)
	learnertest.Error(t, l1mn.Learner, s, `unknown rule "xor" to join variables; want or, or and`, "-join", "xor")
	learnertest.Error(t, l1mn.Learner, s, `l1 "0"; want a number above 0, or several separated by commas`, "-l1", "0")
}
