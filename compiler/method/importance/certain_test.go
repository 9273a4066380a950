package importance_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/importance"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestCertainValues checks a CPD with a row of variance 0 and one with a density. The value that
// the first row makes certain has a probability, which outweighs the other row's density however
// high that is; the answer is exact.
func TestCertainValues(t *testing.T) {
	m := &model.Model{Name: "test"}
	d, x := m.NewVar("D", "point", "spread").ID, m.NewReal("X").ID
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{d}, Child: 0, Dist: &model.Table{Values: []float64{.2, .8}}},
		{Scope: []model.VarID{d, x}, Child: 1, Dist: &model.Gaussian{Mean: []float64{1, 1}, Var: []float64{0, 1e-12}}},
	}
	for _, collapsed := range []bool{false, true} {
		o := importance.LWOptions{Iterations: 20000, Seed: 3, Collapsed: collapsed}
		_, mc, r := sampledBy(t, m, brute.HybridEvidence{Reals: map[model.VarID]float64{x: 1}}, o)
		if p := mc.Posterior(0); math.Abs(p[0]-1) > 1e-12 || p[1] != 0 {
			t.Errorf("collapsed %v: P(D | X=1) = %v; want the state with the point", collapsed, p)
		}
		if got := mc.LogP(); math.Abs(got-math.Log(.2)) > 4*r.LogError {
			t.Errorf("collapsed %v: ln P %v ± %v; want ln .2", collapsed, got, r.LogError)
		}
		_, mc, _ = sampledBy(t, m, brute.HybridEvidence{Reals: map[model.VarID]float64{x: 1 + 1e-6}}, o)
		if p := mc.Posterior(0); p[0] != 0 || math.Abs(p[1]-1) > 1e-12 {
			t.Errorf("collapsed %v: P(D | X=1.000001) = %v; want the state with the density", collapsed, p)
		}
	}
}

// drawable reports whether the real parents of all observed functions are observed too. Otherwise
// hardly any drawn parents agree with an observed function.
func drawable(m *model.Model, e brute.HybridEvidence) bool {
	for v := range e.Reals {
		f := m.CPD(v)
		if f == nil || !f.Gaussian().HasZeros() {
			continue
		}
		_, parents := m.SplitParents(f)
		for _, u := range parents {
			if _, seen := e.Reals[u]; !seen {
				return false
			}
		}
	}
	return true
}

// TestCertainHybrids compares estimates on random networks, some of whose rows have variance 0,
// with exact rationals.
func TestCertainHybrids(t *testing.T) {
	runs, certain := 0, 0
	for _, seed := range irtest.Cases(t, 60, 300) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{Zeros: .4, Decades: 2, MaxVars: 6})
		e := irtest.HybridEvidence(seed, m, .4)
		want, err := brute.NewHybrid(m, e)
		if err != nil {
			t.Fatal(err)
		}
		collapsed := seed%2 == 1 || !drawable(m, e)
		res, err := compiler.Compile(context.Background(), m, compiler.Options{Method: importance.LWOptions{Iterations: 5000, Seed: 7, Collapsed: collapsed}, Check: true})
		if err != nil {
			t.Fatal(err)
		}
		mc := eval.New(res.Program, res.Model)
		for v, s := range e.States {
			err = errors.Join(err, mc.Observe(v, s))
		}
		for v, x := range e.Reals {
			err = errors.Join(err, mc.ObserveReal(v, x))
		}
		if err != nil {
			t.Fatal(err)
		}
		r, err := mc.RunTrials(context.Background(), &res.Program.Entries[0], pgmrt.TrialOptions{})
		switch {
		case errors.Is(err, pgmrt.ErrWeights) && !collapsed:
			continue // no drawn state agrees with an observed function
		case err != nil:
			t.Errorf("seed %d: %v", seed, err)
			continue
		case r.Status != pgmrt.Converged:
			continue // standard errors are not reliable
		}
		runs++
		for v := range e.Reals {
			if f := m.CPD(v); f != nil && f.Gaussian().HasZeros() {
				certain++
				break
			}
		}
		if d := math.Abs(mc.LogP() - want.LogDensity); d > 4*r.LogError+1e-9*math.Abs(want.LogDensity)+1e-9 {
			t.Errorf("seed %d: ln p %v ± %v; want %v", seed, mc.LogP(), r.LogError, want.LogDensity)
		}
		for k, id := range res.Program.Entries[0].Outs {
			v := res.Program.Spans[id].Var
			if m.IsReal(v) {
				continue
			}
			for s, x := range want.Posterior(v) {
				if math.Abs(mc.Posterior(k)[s]-x) > 4*r.Residual+1e-9 {
					t.Errorf("seed %d: P(%s) %v; want %v; %+v", seed, m.Vars[v].Name, mc.Posterior(k), want.Posterior(v), r)
				}
			}
		}
	}
	if runs < 30 || certain < 10 {
		t.Errorf("%d runs with enough samples, %d of them with observed functions; want most of 60", runs, certain)
	}
}
