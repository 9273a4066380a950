package particle_test

import (
	"math"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/particle"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// association returns two targets that move towards each other, and a measurement of one of them or
// of neither: clutter. A discrete variable of each slice says of which.
func association() *model.Model {
	m := &model.Model{Name: "association"}
	a, b := m.NewReal("a").ID, m.NewReal("b").ID
	source := m.NewVar("source", "a", "b", "clutter").ID
	y := m.NewReal("y").ID
	both := []*model.Factor{
		{Scope: []model.VarID{source}, Dist: &model.Table{Values: []float64{.4, .4, .2}}},
		{Scope: []model.VarID{source, a, b, y}, Child: 3, Dist: &model.Gaussian{Mean: []float64{0, 0, 5}, Coef: []float64{1, 0, 0, 1, 0, 0}, Var: []float64{.5, .5, 100}}},
	}
	m.Factors = append([]*model.Factor{{Scope: []model.VarID{a}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}},
		{Scope: []model.VarID{b}, Dist: &model.Gaussian{Mean: []float64{10}, Var: []float64{1}}}}, both...)
	m.Transition = &model.Transition{Before: []model.VarID{a, b}, Factors: append([]*model.Factor{
		{Scope: []model.VarID{4, a}, Child: 1, Dist: &model.Gaussian{Mean: []float64{1}, Coef: []float64{1}, Var: []float64{.2}}},
		{Scope: []model.VarID{5, b}, Child: 1, Dist: &model.Gaussian{Mean: []float64{-1}, Coef: []float64{1}, Var: []float64{.2}}}}, both...)}
	return m
}

// TestAssociation compares particles of a model with clutter with the exact filter, which keeps all
// histories: those of rbpf are exact while all are kept, and averages over seeds are within 5
// standard errors otherwise. The third measurement is of neither target.
func TestAssociation(t *testing.T) {
	m := association()
	var given []infer.Given
	for _, y := range []float64{.2, 9.1, 30, 3.1, 6.2} {
		given = append(given, infer.Evidence{"y": y})
	}
	exact := run(t, m, nil, given)
	if p := exact[2].Of("source").P[2]; p < .999 {
		t.Errorf("P(clutter) of a far measurement is %v; want almost 1", p)
	}
	all := run(t, m, particle.RBPFOptions{Particles: 1000, Resampling: "systematic", Seed: 1}, given)
	for i := range exact {
		for k, p := range answersOf(exact[i]) {
			if got := answersOf(all[i])[k]; math.Abs(got-p) > 1e-9 {
				t.Errorf("rbpf with all histories, slice %d, number %d: %v; want %v", i, k, got, p)
			}
		}
	}
	for name, by := range map[string]func(seed uint64) method.Options{
		"rbpf": func(s uint64) method.Options {
			return particle.RBPFOptions{Particles: 10, Resampling: "systematic", Seed: s}
		},
		"particle": func(s uint64) method.Options {
			return particle.Options{Particles: 1000, Proposal: "bootstrap", Resampling: "systematic", Enough: .5, Seed: s}
		},
		"posterior": func(s uint64) method.Options {
			return particle.Options{Particles: 50, Proposal: "posterior", Resampling: "systematic", Enough: .5, Seed: s}
		},
	} {
		runs := irtest.Count(t, 6, 40)
		last := len(given) - 1
		want := answersOf(exact[last])
		sum, squares := make([]float64, len(want)), make([]float64, len(want))
		for seed := range uint64(runs) {
			for k, x := range answersOf(run(t, m, by(seed), given)[last]) {
				sum[k], squares[k] = sum[k]+x, squares[k]+x*x
			}
		}
		for k, w := range want {
			mean := sum[k] / float64(runs)
			deviation := math.Sqrt(max(squares[k]/float64(runs)-mean*mean, 0) / float64(runs-1))
			// Estimates of means and probabilities are ratios, with a bias of the order of one over
			// the number of particles.
			if math.Abs(mean-w) > 5*deviation+.01 {
				t.Errorf("%s: number %d is %v on average, ± %v; want %v", name, k, mean, deviation, w)
			}
		}
	}
}

// answersOf returns the probabilities of source and the mean of a.
func answersOf(m *infer.Marginals) []float64 {
	return append(slices.Clone(m.Of("source").P), m.Of("a").Mean)
}
