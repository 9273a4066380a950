package mle_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// Numbers of 0 get no pseudo-counts, and extra pseudo-counts are added to the prior.
func TestKeepZeros(t *testing.T) {
	m := network(t, learnertest.Vars("x", 3), []model.VarID{0})
	m.Factors[0].Dist = &model.Table{Values: []float64{0, .5, .5}}
	for _, c := range []struct {
		name  string
		opt   mle.Options
		count []float64
		want  []float64
	}{
		{"prior", mle.Options{Prior: prior(t, "k2", 0), KeepZeros: true}, []float64{0, 3, 1}, []float64{0, 4. / 6, 2. / 6}},
		{"a count", mle.Options{Prior: prior(t, "k2", 0), KeepZeros: true}, []float64{1, 3, 1}, []float64{1. / 7, 4. / 7, 2. / 7}},
		{"nothing", mle.Options{KeepZeros: true}, []float64{0, 0, 0}, []float64{0, .5, .5}},
		{"extra", mle.Options{Extra: [][]float64{{0, 2, 0}}}, []float64{0, 1, 1}, []float64{0, .75, .25}},
		{"extra and a prior", mle.Options{Prior: prior(t, "k2", 0), Extra: [][]float64{{0, 2, 0}}}, []float64{0, 1, 1}, []float64{1. / 7, 4. / 7, 2. / 7}},
		{"fixed", mle.Options{Fixed: []model.VarID{0}}, []float64{5, 1, 1}, []float64{0, .5, .5}},
	} {
		e := estimator(t, m, c.opt)
		irtest.Close(t, table(e.Fit(mle.Counts{c.count}, m), 0), c.want, 1e-15)
		drawn := table(e.Random(m, rand.New(rand.NewPCG(1, 1))), 0)
		if kept := drawn[0] == 0; kept != (c.opt.KeepZeros || c.opt.Fixed != nil) {
			t.Errorf("%s: random numbers %v", c.name, drawn)
		}
	}
	if e := estimator(t, m, mle.Options{KeepZeros: true}); e.Params() != 1 {
		t.Errorf("%d parameters; want 1", e.Params())
	}
}

// With fixed means, a variance is the mean square of what the fixed function leaves.
func TestFixedMean(t *testing.T) {
	m := &model.Model{}
	x, y := m.NewReal("x").ID, m.NewReal("y").ID
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{x}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}},
		{Scope: []model.VarID{x, y}, Child: 1, Dist: &model.Gaussian{Mean: []float64{1}, Coef: []float64{2}, Var: []float64{1}}},
	}
	rows := [][2]float64{{0, 2}, {1, 4}, {3, 5}} // residuals 1, 1 and -2
	for _, expected := range []bool{false, true} {
		opt := mle.Options{FixedMean: []model.VarID{y}, Fixed: []model.VarID{x}}
		if expected {
			opt.Marginals = []mle.Marginal{{Var: 1}, {Var: 1}}
		}
		e := estimator(t, m, opt)
		n, err := e.Zero()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			e.TallyReal(n, []int{0, 0}, r[:], 1)
		}
		fit := e.Fit(n, m)
		d := fit.Factors[1].Gaussian()
		irtest.Close(t, []float64{d.Mean[0], d.Coef[0], d.Var[0], fit.Factors[0].Gaussian().Var[0]}, []float64{1, 2, 2, 1}, 1e-12)
		if e.Params() != 1 {
			t.Errorf("%d parameters; want 1", e.Params())
		}
	}
	m.NewVar("z", "a", "b")
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{2}, Dist: &model.Table{Values: []float64{.5, .5}}})
	if _, err := mle.New(m, mle.Options{FixedMean: []model.VarID{2}}); err == nil || !strings.Contains(err.Error(), `the CPD of "z" is not Gaussian`) {
		t.Errorf("error %v; want one about z", err)
	}
}
