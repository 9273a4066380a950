package model_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The probabilities of a softmax are its weights divided by their sum, by hand, also for values
// whose weights exceed the range of a float64.
func TestSoftmax(t *testing.T) {
	m := &model.Model{}
	d, x, y, c := m.NewVar("d", "s", "t"), m.NewReal("x"), m.NewReal("y"), m.NewVar("c", "0", "1", "2")
	f := &model.Factor{Scope: []model.VarID{d.ID, x.ID, y.ID, c.ID}, Child: 3, Dist: &model.Softmax{
		Bias: []float64{0, 1, 2, -1, 0, 1},
		Coef: []float64{0, 0, 1, 2, 3, 4, 0, 0, 1, 0, 0, 1},
	}}
	log := math.Log(math.Exp(-1) + math.Exp(.5) + math.Exp(1+.25))
	at := []float64{0, .5, .25, 0}
	for s, want := range []float64{-1 - log, .5 - log, 1.25 - log} {
		irtest.CloseTo(t, m.LogFactor(f, []int{1, 0, 0, s}, at), want, 1e-15)
	}
	irtest.CloseTo(t, m.LogFactor(f, []int{0, 0, 0, 1}, []float64{0, 1e6, 0, 0}), 1-2-2e6, 1e-15)
}

// The value of a canonical potential, by hand.
func TestCanonical(t *testing.T) {
	m := &model.Model{Kind: model.Markov}
	d, x, y := m.NewVar("d", "s", "t"), m.NewReal("x"), m.NewReal("y")
	f := &model.Factor{Scope: []model.VarID{d.ID, x.ID, y.ID}, Child: -1, Dist: &model.Canonical{
		K: []float64{1, 0, 1, 2, -1, 3}, H: []float64{0, 0, 1, 2}, G: []float64{math.Inf(-1), .5}}}
	m.Factors = []*model.Factor{f}
	if list := m.Check(); list.HasErrors() {
		t.Fatal(list.Err())
	}
	at := []float64{0, 3, 5}
	irtest.CloseTo(t, m.LogDensity([]int{1, 0, 0}, at), .5+3+10-.5*(2*9-2*15+3*25), 1e-15)
	irtest.CloseTo(t, m.LogDensity([]int{0, 0, 0}, at), math.Inf(-1), 0)
	if got := m.Traits(); got != model.Reals|model.Canonicals {
		t.Errorf("traits %b", got)
	}
}

func TestPairwise(t *testing.T) {
	for _, c := range []struct {
		d    model.Pairwise
		want [3]float64 // energies of differences of 0, 1, 3
	}{
		{model.Pairwise{Metric: model.Potts, Weight: 2}, [3]float64{0, 2, 2}},
		{model.Pairwise{Metric: model.Potts, Weight: 2, Cap: .5}, [3]float64{0, 1, 1}},
		{model.Pairwise{Metric: model.Linear, Weight: -1}, [3]float64{0, -1, -3}},
		{model.Pairwise{Metric: model.Linear, Weight: 1, Cap: 2}, [3]float64{0, 1, 2}},
		{model.Pairwise{Metric: model.Quadratic, Weight: .5, Cap: 8}, [3]float64{0, .5, 4}},
		{model.Pairwise{Metric: model.Quadratic, Weight: .5}, [3]float64{0, .5, 4.5}},
	} {
		m := &model.Model{Kind: model.Markov}
		a, b := m.NewVar("a", "0", "1", "2", "3"), m.NewVar("b", "0", "1", "2", "3")
		f := &model.Factor{Scope: []model.VarID{a.ID, b.ID}, Child: -1, Dist: &c.d}
		m.Factors = []*model.Factor{f}
		if list := m.Check(); list.HasErrors() {
			t.Fatal(list.Err())
		}
		for i, diff := range []int{0, 1, 3} {
			irtest.CloseTo(t, m.Value(f, []int{diff, 0}), math.Exp(-c.want[i]), 1e-15)
			irtest.CloseTo(t, m.Value(f, []int{0, diff}), math.Exp(-c.want[i]), 1e-15)
		}
	}
}
