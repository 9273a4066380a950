package importance_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/importance"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// sampled runs likelihood weighting and returns a machine with the answers.
func sampled(t *testing.T, m *model.Model, e brute.HybridEvidence, samples int) (*ir.Program, *eval.Machine, pgmrt.TrialReport) {
	t.Helper()
	return sampledBy(t, m, e, importance.LWOptions{Iterations: samples, Seed: 7})
}

// sampledBy is sampled with other options.
func sampledBy(t *testing.T, m *model.Model, e brute.HybridEvidence, o importance.LWOptions) (*ir.Program, *eval.Machine, pgmrt.TrialReport) {
	t.Helper()
	res, err := compiler.Compile(context.Background(), m, compiler.Options{Method: o, Check: true})
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
	r, run := mc.RunTrials(context.Background(), &res.Program.Entries[0], pgmrt.TrialOptions{})
	if err = errors.Join(err, run); err != nil {
		t.Fatal(err)
	}
	return res.Program, mc, r
}

// TestHybrids compares estimates on random networks with exact rationals: all are within four of
// the largest standard error.
func TestHybrids(t *testing.T) {
	runs := 0
	for _, seed := range irtest.Cases(t, 30, 100) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoZeros: true, Decades: 2})
		e := irtest.HybridEvidence(seed, m, .25)
		want, err := brute.NewHybrid(m, e)
		if err != nil {
			t.Fatal(err)
		}
		p, mc, r := sampled(t, m, e, 20000)
		if r.Status != pgmrt.Converged {
			continue // standard errors are not reliable
		}
		runs++
		if d := math.Abs(mc.LogP() - want.LogDensity); d > 4*r.LogError+1e-9 {
			t.Errorf("seed %d: ln p %v ± %v; want %v", seed, mc.LogP(), r.LogError, want.LogDensity)
		}
		_, scale := gauss.Units(m)
		for k, id := range p.Entries[0].Outs {
			v, got := p.Spans[id].Var, mc.Posterior(k)
			if m.IsReal(v) {
				mean, variance := want.Moments(v)
				if math.Abs(got[0]-mean) > 4*r.Residual*scale[v]+1e-9*(1+math.Abs(mean)) || math.Abs(got[1]-variance) > (.2+20*r.Residual)*scale[v]*scale[v] {
					t.Errorf("seed %d: %s %v; want %v, %v; %+v", seed, m.Vars[v].Name, got, mean, variance, r)
				}
				continue
			}
			for s, x := range want.Posterior(v) {
				if math.Abs(got[s]-x) > 4*r.Residual+1e-12 {
					t.Errorf("seed %d: P(%s) %v; want %v; %+v", seed, m.Vars[v].Name, got, want.Posterior(v), r)
				}
			}
		}
	}
	if runs < 25 {
		t.Errorf("%d runs with enough samples; want most of 30", runs)
	}
}

// TestExpressions checks a softmax child and an expression against integrals: example 14.20 of
// Koller and Friedman, and the distance of a point.
func TestExpressions(t *testing.T) {
	m := &model.Model{Name: "test"}
	add := func(d model.Dist, scope ...model.VarID) {
		m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: d})
	}
	x, y, a := m.NewReal("X").ID, m.NewReal("Y").ID, m.NewVar("A", "a0", "a1").ID
	add(&model.Gaussian{Mean: []float64{0}, Var: []float64{1}}, x)
	add(&model.Gaussian{Mean: []float64{0}, Var: []float64{1}}, y)
	add(&model.Softmax{Bias: []float64{.5, 0}, Coef: []float64{-2, 0}}, x, a)
	for _, text := range []string{"sqrt(X^2 + Y^2)", "log(X)"} {
		v := m.NewReal(text).ID
		f := &model.Factor{Scope: []model.VarID{x, y, v}, Child: 2}
		nodes, err := model.ParseFunc(text, m.ScopeNames(f))
		if err != nil {
			t.Fatal(err)
		}
		f.Dist = &model.Func{Nodes: nodes, Var: []float64{0}}
		m.Factors = append(m.Factors, f)
	}
	near := func(name string, got, want, tol float64) {
		t.Helper()
		if math.Abs(got-want) > tol {
			t.Errorf("%s: %v; want %v", name, got, want)
		}
	}
	// Without the logarithm, which is defined for half of the values.
	whole := *m
	whole.Vars, whole.Factors = m.Vars[:4], m.Factors[:4]
	_, mc, r := sampled(t, &whole, brute.HybridEvidence{}, 100000)
	near("P(a0)", mc.Posterior(2)[0], .5752425, 4*r.Residual)
	near("E(distance)", mc.Posterior(3)[0], math.Sqrt(math.Pi/2), .01)
	near("Var(distance)", mc.Posterior(3)[1], 2-math.Pi/2, .01)
	_, mc, _ = sampled(t, &whole, brute.HybridEvidence{States: map[model.VarID]int{a: 1}}, 100000)
	near("E(X | a1)", mc.Posterior(0)[0], .6997569, .01)
	near("Var(X | a1)", mc.Posterior(0)[1], .6152620, .01)
	near("ln P(a1)", mc.LogP(), math.Log(.4247575), .01)
	// Values outside the domain of the logarithm have density 0.
	_, mc, _ = sampled(t, m, brute.HybridEvidence{}, 100000)
	near("E(X | X > 0)", mc.Posterior(0)[0], math.Sqrt(2/math.Pi), .01)
	near("ln P(X > 0)", mc.LogP(), math.Log(.5), .02)
}

// TestReproducible checks that the seed alone decides the numbers.
func TestReproducible(t *testing.T) {
	m := irtest.RandomHybrid(3, irtest.HybridOptions{NoZeros: true})
	e := irtest.HybridEvidence(1, m, .2)
	_, a, _ := sampled(t, m, e, 1000)
	_, b, _ := sampled(t, m, e, 1000)
	if a.LogP() != b.LogP() {
		t.Errorf("%v and %v", a.LogP(), b.LogP())
	}
}
