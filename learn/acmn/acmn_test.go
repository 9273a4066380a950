package acmn_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/acmn"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// On its test case, Libra's acmn makes 7 splits and reaches -1.778259 nats a row, by its stored
// circuit divided by its sum. Near the end several splits are almost equally good.
func TestLibra(t *testing.T) {
	s := learnertest.Load(t, "libra", "test", "acbn", "cold.data")
	r := learnertest.Learn(t, acmn.Learner, &learner.Job{Train: s, Cores: 2})
	if got, want := learnertest.LogLikelihood(t, r.Models[0], s), -1.778259; math.Abs(got-want) > 5e-4 {
		t.Errorf("%v nats a row; want %v", got, want)
	}
	if got := r.Report.Steps; got < 6 || got > 8 {
		t.Errorf("%d splits; want 6 to 8", got)
	}
	learnertest.SameCircuit(t, r.Models[0], r.Models[1])
}

// The network and the circuit are equal after each split, for variables of two and three states.
// The likelihood never falls, and reaches that of the distribution of the rows, which has three
// features besides those of single variables.
func TestEverySplit(t *testing.T) {
	vars := learnertest.Vars("a", 2, "b", 3, "c", 2, "d", 2)
	value := func(x []int) float64 {
		p := 1.0
		if x[0] == x[2] {
			p *= 3
		}
		if x[1] == 2 && x[3] == 1 {
			p *= 4
		}
		if x[0] == 1 && x[1] == 0 && x[3] == 0 {
			p *= 5
		}
		return p
	}
	z, sum := 0.0, 0.0
	for i := range 24 {
		p := value([]int{i & 1, i >> 3, i >> 1 & 1, i >> 2 & 1})
		z, sum = z+p, sum+p*math.Log(p)
	}
	s := learnertest.Expected(t, vars, 2000, func(x []int) float64 { return value(x) / z })
	last := math.Inf(-1)
	for splits := 1; splits <= 4; splits++ {
		r := learnertest.Learn(t, acmn.Learner, &learner.Job{Train: s, Cores: 1}, "-max-splits", strconv.Itoa(splits), "-edge-penalty", "0.001", "-weight-variance", "0")
		learnertest.SameCircuit(t, r.Models[0], r.Models[1])
		if r.Report.Steps != splits {
			t.Fatalf("%d splits; want %d", r.Report.Steps, splits)
		}
		if r.Report.Total < last-1e-3 {
			t.Errorf("%d splits: log-likelihood %v, and with one less %v", splits, r.Report.Total, last)
		}
		last = r.Report.Total
	}
	if want := 2000 * (sum/z - math.Log(z)); math.Abs(last-want) > 1e-3 {
		t.Errorf("log-likelihood %v; want %v", last, want)
	}
}

// With L1 and Gaussian priors, the result on nltcs is the published -6.01 within the bound of
// edges.
func TestNLTCS(t *testing.T) {
	train, valid, test := learnertest.DEBD(t, "nltcs", "train"), learnertest.DEBD(t, "nltcs", "valid"), learnertest.DEBD(t, "nltcs", "test")
	r := learnertest.Learn(t, acmn.Learner, &learner.Job{Train: train, Valid: valid, Cores: 2}, "-max-edges", "100000", "-shrink", "-quick", "-split-penalty", "5", "-l1", "1")
	if got := learnertest.LogLikelihood(t, r.Models[0], test); got < -6.01 {
		t.Errorf("%v nats a row; want at least -6.01", got)
	}
	if n := r.Models[1].Factors[0].Dist.(*model.Circuit).Edges(); n > 100000 {
		t.Errorf("%d edges; want at most 100000", n)
	}
}
