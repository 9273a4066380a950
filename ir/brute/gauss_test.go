package brute_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// incinerator returns the waste incinerator of Lauritzen 1992, with its variables in the order F,
// W, B, E, D, C, L, Min, Mout. P(W = industrial) is 0.285714, as in HUGIN's file.
func incinerator() *model.Model {
	m := &model.Model{Name: "waste"}
	f, w, b := m.NewVar("F", "intact", "defective").ID, m.NewVar("W", "industrial", "household").ID, m.NewVar("B", "stable", "unstable").ID
	e, d, c, l := m.NewReal("E").ID, m.NewReal("D").ID, m.NewReal("C").ID, m.NewReal("L").ID
	in, out := m.NewReal("Min").ID, m.NewReal("Mout").ID
	add := func(dist model.Dist, scope ...model.VarID) {
		m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: dist})
	}
	add(&model.Table{Values: []float64{.95, .05}}, f)
	add(&model.Table{Values: []float64{.285714, .714286}}, w)
	add(&model.Table{Values: []float64{.85, .15}}, b)
	add(&model.Gaussian{Mean: []float64{-3.9, -3.2, -.4, -.5}, Var: []float64{2e-5, 2e-5, 1e-4, 1e-4}}, f, w, e)
	add(&model.Gaussian{Mean: []float64{6.5, 6, 7.5, 7}, Coef: []float64{1, 1, 1, 1}, Var: []float64{.03, .04, .1, .1}}, b, w, e, d)
	add(&model.Gaussian{Mean: []float64{-2, -1}, Var: []float64{.1, .3}}, b, c)
	add(&model.Gaussian{Mean: []float64{3}, Coef: []float64{-.5}, Var: []float64{.25}}, d, l)
	add(&model.Gaussian{Mean: []float64{.5, -.5}, Var: []float64{.01, .005}}, w, in)
	add(&model.Gaussian{Mean: []float64{0}, Coef: []float64{1, 1}, Var: []float64{.002}}, d, in, out)
	return m
}

// TestIncinerator compares with numbers that were computed by another enumeration and agree with
// HUGIN's and Lauritzen's printed digits.
func TestIncinerator(t *testing.T) {
	m := incinerator()
	if list := m.Check(); list.HasErrors() {
		t.Fatal(list.Err())
	}
	h, err := brute.NewHybrid(m, brute.HybridEvidence{})
	if err != nil {
		t.Fatal(err)
	}
	check := func(name string, mean, sd float64) {
		t.Helper()
		v, _ := m.VarByName(name)
		gotMean, variance := h.Moments(v.ID)
		irtest.CloseTo(t, gotMean, mean, 1e-9)
		irtest.CloseTo(t, math.Sqrt(variance), sd, 1e-9)
	}
	check("E", -3.253571240, .708880190)
	check("D", 3.039285760, .770005932)
	check("C", -1.85, .507444578)
	check("L", 1.480357120, .631052521)
	check("Min", -.214286, .458813775)
	check("Mout", 2.824999760, .860298281)
	irtest.CloseTo(t, h.LogDensity, 0, 1e-12)
	h, err = brute.NewHybrid(m, brute.HybridEvidence{States: map[model.VarID]int{1: 0}, Reals: map[model.VarID]float64{6: 1.1, 5: -.9}})
	if err != nil {
		t.Fatal(err)
	}
	irtest.CloseTo(t, h.Posterior(2)[0], .012252759819, 1e-11)
	irtest.CloseTo(t, h.Posterior(0)[0], .999526272215, 1e-11)
	check("E", -3.898338214, .076285645)
	check("D", 3.607666610, .325851024)
	check("Min", .5, .1)
	check("Mout", 4.107666610, .343771566)
	irtest.CloseTo(t, h.LogDensity, -3.813724886524, 1e-11)
}

// TestFunction observes a variable that another determines: y = 2x given d = t, and y = 2x + noise
// given s.
func TestFunction(t *testing.T) {
	m := &model.Model{}
	d, x, y := m.NewVar("d", "s", "t").ID, m.NewReal("x").ID, m.NewReal("y").ID
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{d}, Dist: &model.Table{Values: []float64{.75, .25}}},
		{Scope: []model.VarID{x}, Dist: &model.Gaussian{Mean: []float64{1}, Var: []float64{4}}},
		{Scope: []model.VarID{d, x, y}, Child: 2, Dist: &model.Gaussian{Mean: []float64{0, 0}, Coef: []float64{2, 2}, Var: []float64{1, 0}}},
	}
	normal := func(z, variance float64) float64 { return -.5 * (z*z/variance + math.Log(2*math.Pi*variance)) }
	for _, c := range []struct {
		name string
		x, y float64
		p    float64
		log  float64
		ones int
	}{
		{"on the line", .1, .2, 1, math.Log(.25) + normal(-.9, 4), 1},
		{"off the line", .1, .3, 0, math.Log(.75) + normal(-.9, 4) + normal(.1, 1), 0},
	} {
		h, err := brute.NewHybrid(m, brute.HybridEvidence{Reals: map[model.VarID]float64{x: c.x, y: c.y}})
		if err != nil {
			t.Fatal(err)
		}
		irtest.CloseTo(t, h.Posterior(d)[1], c.p, 1e-14)
		irtest.CloseTo(t, h.LogDensity, c.log, 1e-14)
		if h.Functions != c.ones {
			t.Errorf("%s: %d values determined; want %d", c.name, h.Functions, c.ones)
		}
	}
	// Given y alone, x is y/2 in one component, and combines two measurements in the other.
	h, _ := brute.NewHybrid(m, brute.HybridEvidence{Reals: map[model.VarID]float64{y: 3}})
	for i := range h.Parts {
		p := &h.Parts[i]
		mean, variance := 1.5, 0.0
		if p.State[d] == 0 {
			mean, variance = 1+8.0/17, 4-64.0/17
		}
		irtest.CloseTo(t, p.Mean(x), mean, 1e-15)
		irtest.CloseTo(t, p.Cov(x, x), variance, 1e-15)
	}
}

// TestHybridDensity compares ln of the density of complete evidence with the product of the CPDs,
// and evidence as a measurement of variance 0 with evidence as a value.
func TestHybridDensity(t *testing.T) {
	for seed := range uint64(40) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{MaxVars: 6})
		e := irtest.HybridEvidence(seed, m, 1)
		h, err := brute.NewHybrid(m, e)
		if err != nil {
			t.Fatal(err)
		}
		state, x := make([]int, len(m.Vars)), make([]float64, len(m.Vars))
		for v, s := range e.States {
			state[v] = s
		}
		for v, value := range e.Reals {
			x[v] = value
		}
		irtest.CloseTo(t, h.LogDensity, m.LogDensity(state, x), 1e-9)
		e = irtest.HybridEvidence(seed, m, .4)
		soft := brute.HybridEvidence{States: e.States, Reals: map[model.VarID]float64{}, Measured: map[model.VarID]model.Normal{}}
		for v, value := range e.Reals {
			if m.Vars[v].Given {
				soft.Reals[v] = value
			} else {
				soft.Measured[v] = model.Normal{Mean: value}
			}
		}
		a, _ := brute.NewHybrid(m, e)
		b, _ := brute.NewHybrid(m, soft)
		irtest.CloseTo(t, a.LogDensity, b.LogDensity, 0)
	}
	if _, err := brute.NewHybrid(&model.Model{Kind: model.Markov}, brute.HybridEvidence{}); err == nil {
		t.Error("a Markov network was accepted")
	}
}
