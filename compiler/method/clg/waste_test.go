package clg_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/model"
)

// waste returns the waste incinerator network of Lauritzen 1992, with the prior of the waste as in
// the file of HUGIN.
func waste() *model.Model {
	m := &model.Model{Name: "waste"}
	f := m.NewVar("F", "intact", "defect").ID
	w := m.NewVar("W", "industrial", "household").ID
	b := m.NewVar("B", "stable", "unstable").ID
	add := func(d model.Dist, scope ...model.VarID) {
		m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: d})
	}
	real := func(name string) model.VarID {
		v := &model.Var{ID: model.VarID(len(m.Vars)), Name: name, Domain: model.Real{}}
		m.Vars = append(m.Vars, v)
		return v.ID
	}
	e, d, c, l, in, out := real("E"), real("D"), real("C"), real("L"), real("Min"), real("Mout")
	add(&model.Table{Values: []float64{.95, .05}}, f)
	add(&model.Table{Values: []float64{.285714, .714286}}, w)
	add(&model.Table{Values: []float64{.85, .15}}, b)
	add(&model.Gaussian{Mean: []float64{-3.9, -3.2, -.4, -.5}, Var: []float64{.00002, .00002, .0001, .0001}}, f, w, e)
	add(&model.Gaussian{Mean: []float64{6.5, 6, 7.5, 7}, Coef: []float64{1, 1, 1, 1}, Var: []float64{.03, .04, .1, .1}}, b, w, e, d)
	add(&model.Gaussian{Mean: []float64{-2, -1}, Var: []float64{.1, .3}}, b, c)
	add(&model.Gaussian{Mean: []float64{3}, Coef: []float64{-.5}, Var: []float64{.25}}, d, l)
	add(&model.Gaussian{Mean: []float64{.5, -.5}, Var: []float64{.01, .005}}, w, in)
	add(&model.Gaussian{Mean: []float64{0}, Coef: []float64{1, 1}, Var: []float64{.002}}, d, in, out)
	return m
}

// TestWaste compares the waste incinerator with numbers that were computed from HUGIN's file by an
// independent program, and that agree with the digits of Lauritzen 1992.
func TestWaste(t *testing.T) {
	s := compile(t, waste())
	type normal struct{ mean, sd float64 }
	for _, c := range []struct {
		e     brute.HybridEvidence
		logp  float64
		want  map[string]normal
		state map[string]float64 // probability of the first state
	}{
		{brute.HybridEvidence{}, 0, map[string]normal{"E": {-3.253571240, .708880190}, "D": {3.039285760, .770005932}, "C": {-1.85, .507444578},
			"L": {1.480357120, .631052521}, "Min": {-.214286, .458813775}, "Mout": {2.824999760, .860298281}}, nil},
		{brute.HybridEvidence{States: map[model.VarID]int{1: 0}, Reals: map[model.VarID]float64{6: 1.1, 5: -.9}}, -3.813724886524,
			map[string]normal{"E": {-3.898338214, .076285645}, "D": {3.607666610, .325851024}, "Min": {.5, .1}, "Mout": {4.107666610, .343771566}},
			map[string]float64{"B": .012252759819, "F": .999526272215}},
	} {
		mc := s.machine(t, c.e)
		entry := s.p.Entry("marginals")
		if err := mc.Run(entry); err != nil {
			t.Fatal(err)
		}
		if got := mc.LogP(); math.Abs(got-c.logp) > 1e-9 {
			t.Errorf("ln p %v; want %v", got, c.logp)
		}
		for k, id := range entry.Outs {
			name, got := s.m.Vars[s.p.Spans[id].Var].Name, mc.Posterior(k)
			if n, ok := c.want[name]; ok && (math.Abs(got[0]-n.mean) > 1e-9 || math.Abs(math.Sqrt(got[1])-n.sd) > 1e-9) {
				t.Errorf("%s: %v ± %v; want %v", name, got[0], math.Sqrt(got[1]), n)
			}
			if p, ok := c.state[name]; ok && math.Abs(got[0]-p) > 1e-9 {
				t.Errorf("P(%s) is %v; want %v", name, got[0], p)
			}
		}
	}
}
