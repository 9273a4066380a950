package gibbs_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/gibbs"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// sampled runs the chains and returns a machine with the answers.
func sampled(t *testing.T, m *model.Model, e brute.HybridEvidence, sweeps int) (*ir.Program, *eval.Machine, pgmrt.SampleReport) {
	t.Helper()
	res, err := compiler.Compile(context.Background(), m, compiler.Options{Method: gibbs.Options{Iterations: sweeps, BurnIn: sweeps / 10, Chains: 4, Seed: 7}, Check: true})
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
	r, run := mc.RunChain(context.Background(), &res.Program.Entries[0], pgmrt.ChainOptions{})
	if err = errors.Join(err, run); err != nil {
		t.Fatal(err)
	}
	return res.Program, mc, r
}

// TestHybrids compares estimates on random networks with exact rationals: all are within four
// standard errors, of which the report has the largest. Chains that have not converged are left
// out, since their standard errors are not reliable. Of those beyond the first thirty, a few keep
// all chains away from a state of sizeable probability, which no report can show; see the package
// comment.
func TestHybrids(t *testing.T) {
	runs, kept, wanted := 0, 0, irtest.Count(t, 30, 100)
	for seed := range uint64(wanted) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoZeros: true, Decades: 2})
		e := irtest.HybridEvidence(seed, m, .25)
		want, err := brute.NewHybrid(m, e)
		if err != nil {
			t.Fatal(err)
		}
		p, mc, r := sampled(t, m, e, 4000)
		if r.Status != pgmrt.Converged {
			continue
		}
		if seed >= 30 && keptAway(m, p, mc, want) {
			kept++
			continue
		}
		runs++
		for k, id := range p.Entries[0].Outs {
			v, got := p.Spans[id].Var, mc.Posterior(k)
			if m.IsReal(v) {
				mean, variance := want.Moments(v)
				if math.Abs(got[0]-mean) > 4*r.Residual*math.Sqrt(variance)+1e-9*(1+math.Abs(mean)) || math.Abs(got[1]-variance) > .2*variance+1e-12 {
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
	if runs < wanted*2/3 {
		t.Errorf("%d of %d runs converged; want most", runs, wanted)
	}
	if kept > wanted/50 {
		t.Errorf("%d of %d runs never reached a state of sizeable probability; want hardly any", kept, wanted)
	}
}

// keptAway reports whether the chains never came near a state whose probability is above .05.
func keptAway(m *model.Model, p *ir.Program, mc *eval.Machine, want *brute.Hybrid) bool {
	for k, id := range p.Entries[0].Outs {
		if v := p.Spans[id].Var; !m.IsReal(v) {
			for s, x := range want.Posterior(v) {
				if x > .05 && mc.Posterior(k)[s] < 1e-12 {
					return true
				}
			}
		}
	}
	return false
}

// TestMetropolis checks a softmax child and expressions against integrals: example 14.20 of Koller
// and Friedman, and a point at distance 2 on a circle.
func TestMetropolis(t *testing.T) {
	m := &model.Model{Name: "test"}
	x, y, a, d := m.NewReal("X").ID, m.NewReal("Y").ID, m.NewVar("A", "a0", "a1").ID, m.NewReal("D").ID
	normal := &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}
	distance := &model.Factor{Scope: []model.VarID{x, y, d}, Child: 2}
	nodes, err := model.ParseFunc("sqrt(X^2 + Y^2)", m.ScopeNames(distance))
	if err != nil {
		t.Fatal(err)
	}
	distance.Dist = &model.Func{Nodes: nodes, Var: []float64{.25}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Child: 0, Dist: normal}, {Scope: []model.VarID{y}, Child: 0, Dist: normal},
		{Scope: []model.VarID{x, a}, Child: 1, Dist: &model.Softmax{Bias: []float64{.5, 0}, Coef: []float64{-2, 0}}}, distance}
	near := func(name string, got, want, tol float64) {
		t.Helper()
		if math.Abs(got-want) > tol {
			t.Errorf("%s: %v; want %v", name, got, want)
		}
	}
	_, mc, r := sampled(t, m, brute.HybridEvidence{}, 20000)
	near("P(a0)", mc.Posterior(2)[0], .5752425, 4*r.Residual)
	near("E(distance)", mc.Posterior(3)[0], math.Sqrt(math.Pi/2), 4*r.Residual)
	near("Var(distance)", mc.Posterior(3)[1], 2-math.Pi/2+.25, .04)
	_, mc, r = sampled(t, m, brute.HybridEvidence{States: map[model.VarID]int{a: 1}}, 20000)
	near("E(X | a1)", mc.Posterior(0)[0], .6997569, 4*r.Residual)
	near("Var(X | a1)", mc.Posterior(0)[1], .6152620, .02)
	_, mc, r = sampled(t, m, brute.HybridEvidence{Reals: map[model.VarID]float64{d: 2}}, 40000)
	mean, square := onCircle(2, .5, .5, -2)
	near("P(a0 | D=2)", mc.Posterior(2)[0], mean, 4*r.Residual)
	near("E(X | D=2)", mc.Posterior(0)[0], 0, 4*r.Residual*math.Sqrt(square))
	near("Var(X | D=2)", mc.Posterior(0)[1], square, .1*square)
}

// TestRefused compares the shares of refused draws and steps with integrals, of X in example 14.20
// given a1: all of four draws are refused, and of the steps that follow then half propose draws
// from the prior, and half a random walk of a random length.
func TestRefused(t *testing.T) {
	m := &model.Model{Name: "test"}
	x, a := m.NewReal("X").ID, m.NewVar("A", "a0", "a1").ID
	m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Child: 0, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}},
		{Scope: []model.VarID{x, a}, Child: 1, Dist: &model.Softmax{Bias: []float64{.5, 0}, Coef: []float64{-2, 0}}}}
	_, mc, r := sampled(t, m, brute.HybridEvidence{States: map[model.VarID]int{a: 1}}, 40000)
	if got := mc.Posterior(0)[0]; r.ESS < 100000 || math.Abs(got-.6997569) > 4*r.Residual {
		t.Errorf("E(X | a1) %v; want .6997569; %+v", got, r)
	}
	normal := func(z float64) float64 { return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) }
	like := func(x float64) float64 { return 1 / (1 + math.Exp(.5-2*x)) }
	const step = .08
	var total, prior, walk float64
	for x := -5.0; x < 5; x += step {
		w := normal(x) * like(x)
		total += w
		for z := -5.0; z < 5; z += step {
			prior += w * normal(z) * step * min(1, like(z)/like(x))
			for s := step / 2; s < 5; s += step { // the length is exp(-3s)
				to := x + math.Exp(-3*s)*z
				walk += w * normal(z) * step * 2 * normal(s) * step * min(1, normal(to)*like(to)/(normal(x)*like(x)))
			}
		}
	}
	if want := 1 - (prior+walk)/(2*total); math.Abs(r.Refused-want) > .01 {
		t.Errorf("refused %v; want %v", r.Refused, want)
	}
	if want := math.Pow(1-total*step, 4); math.Abs(r.Rejected-want) > .005 {
		t.Errorf("rejected %v; want %v", r.Rejected, want)
	}
	if _, _, r := sampled(t, m, brute.HybridEvidence{Reals: map[model.VarID]float64{x: 1}}, 100); r.Refused != 0 || r.Rejected != 0 {
		t.Errorf("refused %v of the steps and %v of the draws of an observed variable; want 0", r.Refused, r.Rejected)
	}
}

// onCircle integrates over two standard normal variables given their distance at, measured with a
// standard deviation: the mean of 1/(1+exp(-bias-by·x)) and the variance of x, by sums over a grid
// in polar coordinates.
func onCircle(at, deviation, bias, by float64) (share, square float64) {
	total := 0.0
	for r := max(0, at-8*deviation); r < at+8*deviation; r += deviation / 50 {
		w := r * math.Exp(-r*r/2-(r-at)*(r-at)/(2*deviation*deviation))
		for k := range 400 {
			x := r * math.Cos(2*math.Pi*float64(k)/400)
			total += w
			share += w / (1 + math.Exp(-bias-by*x))
			square += w * x * x
		}
	}
	return share / total, square / total
}

// TestFunctions compares estimates in networks with linear functions, none of them observed, with
// exact rationals, as TestHybrids does.
func TestFunctions(t *testing.T) {
	runs, functions := 0, 0
	for _, seed := range irtest.Cases(t, 14, 150) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoZeros: true, Decades: 1, MaxVars: 6, NoDiscrete: seed%2 == 0})
		e := irtest.HybridEvidence(seed, m, .25)
		made := 0
		for _, v := range m.Reals() {
			f := m.CPD(v)
			if _, seen := e.Reals[v]; f == nil || seen {
				continue
			}
			if _, real := m.SplitParents(f); len(real) > 0 {
				clear(f.Gaussian().Var)
				made++
			}
		}
		if made == 0 {
			continue
		}
		want, err := brute.NewHybrid(m, e)
		if err != nil {
			t.Fatal(err)
		}
		p, mc, r := sampled(t, m, e, 2000)
		if r.Status != pgmrt.Converged {
			continue
		}
		runs, functions = runs+1, functions+made
		for k, id := range p.Entries[0].Outs {
			v, got := p.Spans[id].Var, mc.Posterior(k)
			if !m.IsReal(v) {
				for s, x := range want.Posterior(v) {
					if math.Abs(got[s]-x) > 4*r.Residual+1e-12 {
						t.Errorf("seed %d: P(%s) %v; want %v; %+v", seed, m.Vars[v].Name, got, want.Posterior(v), r)
					}
				}
				continue
			}
			mean, variance := want.Moments(v)
			if math.Abs(got[0]-mean) > 4*r.Residual*math.Sqrt(variance)+1e-9*(1+math.Abs(mean)) || math.Abs(got[1]-variance) > .2*variance+1e-12 {
				t.Errorf("seed %d: %s %v; want %v, %v; %+v", seed, m.Vars[v].Name, got, mean, variance, r)
			}
		}
	}
	if runs < 5 || functions < 8 {
		t.Errorf("%d runs converged, with %d functions; want more", runs, functions)
	}
}

// TestFunctionOfSoftmax checks a softmax child of a function, against the same network without it:
// example 14.20 of Koller and Friedman, with -x = (1 - x) - 1 in place of x.
func TestFunctionOfSoftmax(t *testing.T) {
	m := &model.Model{Name: "test"}
	x, y, a := m.NewReal("X").ID, m.NewReal("Y").ID, m.NewVar("A", "a0", "a1").ID
	m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Child: 0, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}},
		{Scope: []model.VarID{x, y}, Child: 1, Dist: &model.Gaussian{Mean: []float64{1}, Coef: []float64{-1}, Var: []float64{0}}},
		{Scope: []model.VarID{y, a}, Child: 1, Dist: &model.Softmax{Bias: []float64{-1.5, 0}, Coef: []float64{2, 0}}}}
	_, mc, r := sampled(t, m, brute.HybridEvidence{States: map[model.VarID]int{a: 1}}, 20000)
	for k, want := range []float64{.6997569, 1 - .6997569} {
		if got := mc.Posterior(k); math.Abs(got[0]-want) > 4*r.Residual || math.Abs(got[1]-.6152620) > .02 {
			t.Errorf("%s: %v; want %v, .6152620", m.Vars[k].Name, got, want)
		}
	}
}

// TestRefusals checks the reasons for which no chain is made or run.
func TestRefusals(t *testing.T) {
	m := &model.Model{Name: "test", File: "m.json"}
	d, x, y := m.NewVar("d", "0", "1").ID, m.NewReal("x").ID, m.NewReal("y").ID
	of := func(variance ...float64) {
		m.Factors = []*model.Factor{{Scope: []model.VarID{d}, Dist: &model.Table{Values: []float64{.5, .5}}},
			{Scope: []model.VarID{x}, Child: 0, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}},
			{Scope: []model.VarID{d, x, y}, Child: 2, Dist: &model.Gaussian{Mean: []float64{0, 1}, Coef: []float64{2, 1}, Var: variance}}}
	}
	of(0, 1)
	_, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("gibbs")})
	if want := `variable "y" has variance 0 in some rows alone; method gibbs takes functions that are linear in all rows; try `; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v; want %s", err, want)
	}
	of(1, 1)
	m.Factors[2] = &model.Factor{Scope: []model.VarID{x, y}, Child: 1, Dist: &model.Func{Nodes: []model.FuncNode{{Op: model.FuncVar}, {Op: model.FuncTanh, A: 0}}, Var: []float64{0}}}
	_, err = compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("gibbs")})
	if want := `variable "y" is an expression of variance 0; method gibbs takes functions that are linear in all rows; try `; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v; want %s", err, want)
	}
	of(0, 0)
	res, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("gibbs")})
	if err != nil {
		t.Fatal(err)
	}
	mc := eval.New(res.Program, res.Model)
	err = mc.ObserveReal(y, 1)
	_, run := mc.RunChain(context.Background(), &res.Program.Entries[0], pgmrt.ChainOptions{})
	want := `variable "y" is a function of its parents (variance 0), from which a chain computes it, and cannot be observed; methods clg and ep take its value`
	if err != nil || run == nil || run.Error() != want {
		t.Errorf("%v, %v; want %s", err, run, want)
	}
}

// TestStrongDensities checks a state that is impossible, for which the density is e^5000 times that
// of the possible ones: these are drawn as if it were not there.
func TestStrongDensities(t *testing.T) {
	m := &model.Model{Name: "test"}
	d, x := m.NewVar("D", "a", "b", "c").ID, m.NewReal("X").ID
	m.Factors = []*model.Factor{{Scope: []model.VarID{d}, Child: 0, Dist: &model.Table{Values: []float64{.5, .5, 0}}},
		{Scope: []model.VarID{d, x}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0, .01, 100}, Var: []float64{1, 1, 1}}}}
	_, mc, r := sampled(t, m, brute.HybridEvidence{Reals: map[model.VarID]float64{x: 100}}, 1000)
	odds := math.Exp(.5 * (100*100 - 99.99*99.99))
	if got, want := mc.Posterior(0)[1], odds/(1+odds); math.Abs(got-want) > 1e-9 || r.Status != pgmrt.Converged {
		t.Errorf("P(b) %v; want %v; %+v", got, want, r)
	}
}
