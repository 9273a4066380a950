package model_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// clg returns the CPDs d -> x <- p and p, with a given variable g above p.
func clg() *model.Model {
	m := &model.Model{File: "m.json"}
	d, g, p, x := m.NewVar("d", "s", "t", "u"), m.NewReal("g"), m.NewReal("p"), m.NewReal("x")
	g.Given = true
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{d.ID}, Dist: &model.Table{Values: []float64{.25, .5, .25}}},
		{Scope: []model.VarID{g.ID, p.ID}, Child: 1, Dist: &model.Gaussian{Mean: []float64{1}, Coef: []float64{2}, Var: []float64{4}}},
		{Scope: []model.VarID{d.ID, g.ID, p.ID, x.ID}, Child: 3, Dist: &model.Gaussian{
			Mean: []float64{1, 2, 3}, Coef: []float64{1, -1, 2, -2, .5, .1}, Var: []float64{1, 9, 0}}},
	}
	return m
}

// The density of a CLG network is the product of normal densities, by hand.
func TestLogDensity(t *testing.T) {
	m := clg()
	if list := m.Check(); list.HasErrors() {
		t.Fatal(list.Err())
	}
	root := math.Log(2 * math.Pi)
	x := []float64{0, .5, 3.5, 7} // g = 0.5, p = 3.5: mean 2, deviation 1.5
	normalP := -.5 * (1.5*1.5/4 + root + math.Log(4))
	for _, c := range []struct {
		state int
		x     float64
		want  float64
	}{
		{0, 7, math.Log(.25) + normalP - .5*(9*9+root)},                  // mean 1 + .5 - 3.5 = -2
		{1, 7, math.Log(.5) + normalP - .5*(11*11/9.0+root+math.Log(9))}, // mean 2 + 1 - 7 = -4
		{2, 7, math.Inf(-1)}, // mean 3 + .25 + .35 = 3.6, a function
		{2, 3 + .25 + float64(.1*3.5), math.Log(.25) + normalP}, // the value of the function
		{2, math.Nextafter(3.6, 4), math.Log(.25) + normalP},    // within rounding
	} {
		x[3] = c.x
		irtest.CloseTo(t, m.LogDensity([]int{c.state, 0, 0, 0}, x), c.want, 1e-14)
	}
}

func TestCheckGaussian(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(m *model.Model, d *model.Gaussian)
		want   string
	}{
		{"mean", func(_ *model.Model, d *model.Gaussian) { d.Mean[1] = math.NaN() }, `CPD of "x" has the mean NaN; want a number of a size of at most 1e+30`},
		{"coefficient", func(_ *model.Model, d *model.Gaussian) { d.Coef[5] = math.Inf(1) }, `CPD of "x" has the coefficient +Inf`},
		{"variance", func(_ *model.Model, d *model.Gaussian) { d.Var[2] = -1 }, `CPD of "x" has the variance -1; want 0, or a number from 1e-30 to 1e+30`},
		{"counts", func(_ *model.Model, d *model.Gaussian) { d.Coef = d.Coef[1:] }, `CPD of "x" has 3 means, 5 coefficients and 3 variances; want 3, 6 and 3`},
		{"order", func(m *model.Model, _ *model.Gaussian) { s := m.Factors[2].Scope; s[0], s[1] = s[1], s[0] },
			`CPD of "x" is of kind gaussian and has the discrete parent "d" after the real parent "g"; want discrete parents first`},
		{"child first", func(m *model.Model, _ *model.Gaussian) {
			s := m.Factors[1].Scope
			s[0], s[1], m.Factors[1].Child = s[1], s[0], 0
		},
			`CPD of "p" is of kind gaussian; want its child last in the scope, and real`},
		{"table", func(m *model.Model, _ *model.Gaussian) { m.Factors[1].Dist = &model.Table{Values: []float64{1}} },
			`CPD of "p" is of kind table, and "g" is real; want states, or a kind for real variables such as gaussian`},
		{"discrete child", func(m *model.Model, _ *model.Gaussian) {
			m.Factors[0].Dist = &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}
		}, `CPD of "d" is of kind gaussian; want its child last in the scope, and real`},
		{"given", func(m *model.Model, _ *model.Gaussian) { m.Vars[3].Given = true }, `variable "x" is given and has a probability block; want one of them`},
		{"not given", func(m *model.Model, _ *model.Gaussian) { m.Vars[1].Given = false }, `variable "g" has no probability block`},
		{"latent", func(m *model.Model, _ *model.Gaussian) { m.Vars[1].Latent = true }, `variable "g" is given; want that in Bayesian networks only, and not latent`},
		{"cycle", func(m *model.Model, _ *model.Gaussian) { m.Factors[1].Scope[0] = 3 }, `the parents form a cycle`},
	} {
		m := clg()
		c.change(m, m.Factors[2].Gaussian())
		if list := m.Check(); !list.HasErrors() || !strings.Contains(list.Err().Error(), c.want) {
			t.Errorf("%s: %v; want %s", c.name, list.Err(), c.want)
		}
	}
}

func TestRandomHybrid(t *testing.T) {
	var traits model.Traits
	for seed := range uint64(200) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{})
		if list := m.Check(); list.HasErrors() {
			t.Fatal(list.Err())
		}
		traits |= m.Traits()
		e := irtest.HybridEvidence(seed, m, .5)
		for _, v := range m.Vars {
			_, state := e.States[v.ID]
			_, value := e.Reals[v.ID]
			if state && m.IsReal(v.ID) || value && !m.IsReal(v.ID) || v.Given && !state && !value {
				t.Errorf("evidence of %d on %q: state %v, value %v", seed, v.Name, state, value)
			}
		}
	}
	if want := model.Reals | model.Gaussians | model.Mixed | model.Givens; traits != want {
		t.Errorf("traits %b; want %b", traits, want)
	}
}
