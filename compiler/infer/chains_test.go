package infer_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/meanfield"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// meanFieldPath returns posteriors by structured mean field with at most as many sweeps.
func meanFieldPath(t *testing.T, e *infer.Engine, given []infer.Given, sweeps int, start string) []infer.Marginals {
	t.Helper()
	opt := meanfield.NewOptions()
	opt.Iterations, opt.Start, opt.Tolerance = sweeps, start, 0
	list, err := e.MeanFieldPath(t.Context(), given, *opt)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestMeanFieldPath checks that the bound of random templates does not exceed the exact ln P, and
// that no sweep lowers it.
func TestMeanFieldPath(t *testing.T) {
	const tolerance = 1e-9 // of sums of logarithms
	below := 0
	for _, seed := range irtest.Cases(t, 20, 300) {
		m := irtest.RandomTemplate(seed, irtest.TemplateOptions{Latent: seed%3 == 1, Givens: seed%4 == 3})
		given := beamEvidence(m, 5, seed, seed%2 == 0)
		e := newEngine(t, m)
		exact, err := e.Smooth(t.Context(), given)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		last := math.Inf(-1)
		for sweeps := 1; sweeps <= 6; sweeps++ {
			got := meanFieldPath(t, e, given, sweeps, []string{"likelihood", "random"}[seed/2%2])
			bound := got[0].LogProb
			if bound > exact[0].LogProb+tolerance {
				t.Errorf("seed %d, %d sweeps: the bound %v exceeds ln P, %v", seed, sweeps, bound, exact[0].LogProb)
			}
			if bound < last-tolerance {
				t.Errorf("seed %d: sweep %d lowers the bound from %v to %v", seed, sweeps, last, bound)
			}
			last = bound
		}
		if last < exact[0].LogProb-1e-3 {
			below++
		}
	}
	if below == 0 {
		t.Error("every bound is ln P; want some that are not")
	}
}

// TestMeanFieldExact checks that structured mean field of one chain, and of chains that do not
// interact, is exact.
func TestMeanFieldExact(t *testing.T) {
	m := &model.Model{Name: "chains"}
	a, b := m.NewVar("a", "0", "1").ID, m.NewVar("b", "0", "1", "2").ID
	x, y := m.NewVar("x", "0", "1").ID, m.NewVar("y", "0", "1").ID
	sensors := []*model.Factor{
		{Scope: []model.VarID{a, x}, Child: 1, Dist: &model.Table{Values: []float64{.9, .1, .3, .7}}},
		{Scope: []model.VarID{b, y}, Child: 1, Dist: &model.Table{Values: []float64{.8, .2, .5, .5, 0, 1}}},
	}
	m.Factors = append([]*model.Factor{{Scope: []model.VarID{a}, Dist: &model.Table{Values: []float64{.4, .6}}},
		{Scope: []model.VarID{b}, Dist: &model.Table{Values: []float64{.2, .3, .5}}}}, sensors...)
	m.Transition = &model.Transition{Before: []model.VarID{a, b}, Factors: append([]*model.Factor{
		{Scope: []model.VarID{4, a}, Child: 1, Dist: &model.Table{Values: []float64{.8, .2, .1, .9}}},
		{Scope: []model.VarID{5, b}, Child: 1, Dist: &model.Table{Values: []float64{.6, .4, 0, .1, .8, .1, .3, .3, .4}}}}, sensors...)}
	e := newEngine(t, m)
	given := []infer.Given{infer.Evidence{"x": "0", "y": "1"}, infer.Evidence{"x": "1", "y": "1"}, infer.Evidence{"y": "0", "a": infer.Likelihood{2, .5}}, infer.Evidence{"x": "0", "y": "1", "a": "1"}}
	want, err := e.Smooth(t.Context(), given)
	if err != nil {
		t.Fatal(err)
	}
	got := meanFieldPath(t, e, given, 5, "likelihood")
	for s := range want {
		if math.Abs(got[s].LogProb-want[s].LogProb) > 1e-10 || !got[s].Report.Converged {
			t.Errorf("slice %d: ln P is %v, converged: %v; want %v", s, got[s].LogProb, got[s].Report.Converged, want[s].LogProb)
		}
		for i, d := range want[s].List {
			for k, p := range d.P {
				if math.Abs(got[s].List[i].P[k]-p) > 1e-10 {
					t.Errorf("slice %d: P(%s=%s) is %v; want %v", s, d.Var, d.States[k], got[s].List[i].P[k], p)
				}
			}
		}
	}
	opt := meanfield.NewOptions()
	opt.Damping = .5
	if _, err := e.MeanFieldPath(t.Context(), given, *opt); err == nil || !strings.Contains(err.Error(), "no schedule, damping or mean") {
		t.Errorf("with damping: %v", err)
	}
}
