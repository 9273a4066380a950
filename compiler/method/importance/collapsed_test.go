package importance_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/importance"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// collapsed returns options that draw discrete variables alone.
func collapsed(samples int) importance.LWOptions {
	return importance.LWOptions{Iterations: samples, Seed: 7, Collapsed: true}
}

// TestCollapsed compares estimates on random networks, with functions and given variables, with
// exact rationals: all are within four of the largest standard error.
func TestCollapsed(t *testing.T) {
	runs, most := 0, irtest.Count(t, 8, 30)
	for seed := uint64(0); runs < most && seed < 100; seed++ {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoZeros: seed%3 == 0, Decades: 2})
		e := irtest.HybridEvidence(seed, m, .3)
		want, err := brute.NewHybrid(m, e)
		if err != nil {
			t.Fatal(err)
		}
		p, mc, r := sampledBy(t, m, e, collapsed(4000))
		if r.Status != pgmrt.Converged {
			t.Logf("seed %d: %+v", seed, r)
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
				unit := scale[v] * scale[v]
				if math.Abs(got[0]-mean) > 4*r.Residual*scale[v]+1e-9*(1+math.Abs(mean)) || math.Abs(got[1]-variance) > 20*r.Residual*unit+1e-9*unit {
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
	if runs < most {
		t.Errorf("%d runs with enough samples; want %d", runs, most)
	}
}

// TestCollapsedGaussian has no discrete variables, so that samples are all equal and answers exact.
// Variances span four powers of ten, and some are 0.
func TestCollapsedGaussian(t *testing.T) {
	for _, seed := range irtest.Cases(t, 20, 200) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoDiscrete: true, Decades: 4, MaxVars: 7})
		e := irtest.HybridEvidence(seed, m, .4)
		want, err := brute.NewHybrid(m, e)
		if err != nil {
			t.Fatal(err)
		}
		p, mc, r := sampledBy(t, m, e, collapsed(200))
		if r.ESS != 200 || r.LogError > 1e-6 {
			t.Errorf("seed %d: effective sample size %v, error of ln p %v; want 200 and 0", seed, r.ESS, r.LogError)
		}
		if d := math.Abs(mc.LogP() - want.LogDensity); d > 1e-8*(1+math.Abs(want.LogDensity)) {
			t.Errorf("seed %d: ln p %v; want %v", seed, mc.LogP(), want.LogDensity)
		}
		_, scale := gauss.Units(m)
		for k, id := range p.Entries[0].Outs {
			v, got := p.Spans[id].Var, mc.Posterior(k)
			mean, variance := want.Moments(v)
			if math.Abs(got[0]-mean) > 1e-8*(scale[v]+math.Abs(mean)) || math.Abs(got[1]-variance) > 1e-9*scale[v]*scale[v] {
				t.Errorf("seed %d: %s %v; want %v, %v", seed, m.Vars[v].Name, got, mean, variance)
			}
		}
	}
}

// precise returns a mixture X of four normals of variance 1, and a chain of precise measurements.
func precise() *model.Model {
	m := &model.Model{Name: "precise"}
	d := m.NewVar("D", "a", "b", "c", "d").ID
	x := m.NewReal("X").ID
	m.Factors = append(m.Factors,
		&model.Factor{Scope: []model.VarID{d}, Dist: &model.Table{Values: []float64{.1, .2, .3, .4}}},
		&model.Factor{Scope: []model.VarID{d, x}, Child: 1, Dist: &model.Gaussian{Mean: []float64{-1, 0, 1, 2}, Var: []float64{1, 1, 1, 1}}})
	for i := range 3 {
		y := m.NewReal(fmt.Sprint("Y", i)).ID
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{x, y}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{1e-8}}})
	}
	return m
}

// TestCollapsedPreciseEvidence has evidence with which drawn values never agree.
func TestCollapsedPreciseEvidence(t *testing.T) {
	m := precise()
	e := brute.HybridEvidence{Reals: map[model.VarID]float64{2: .5, 3: .5001, 4: .4999}}
	want, err := brute.NewHybrid(m, e)
	if err != nil {
		t.Fatal(err)
	}
	_, _, plain := sampled(t, m, e, 4000)
	_, mc, r := sampledBy(t, m, e, collapsed(4000))
	if r.ESS < 2000 || plain.ESS > 100 {
		t.Errorf("effective sample sizes %v, and %v with values drawn; want over 2000, and under 100", r.ESS, plain.ESS)
	}
	if d := math.Abs(mc.LogP() - want.LogDensity); d > 4*r.LogError {
		t.Errorf("ln p %v ± %v; want %v", mc.LogP(), r.LogError, want.LogDensity)
	}
	for _, by := range []float64{0, 1e3, 7e4} { // prior deviations from the means
		e := brute.HybridEvidence{Reals: map[model.VarID]float64{2: by + .5, 3: by + .5001, 4: by + .4999}}
		if want, err = brute.NewHybrid(m, e); err != nil {
			t.Fatal(err)
		}
		_, mc, _ = sampledBy(t, m, e, collapsed(4000))
		mean, variance := want.Moments(1)
		if got := mc.Posterior(1); math.Abs(got[0]-mean) > 1e-7 || math.Abs(got[1]/variance-1) > 1e-3 {
			t.Errorf("%v away: X %v; want %v, %v", by, got, mean, variance)
		}
	}
}

// TestCollapsedContradiction has observed functions of one hidden variable that agree, and others
// that do not.
func TestCollapsedContradiction(t *testing.T) {
	m := &model.Model{Name: "test"}
	x := m.NewReal("X").ID
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{x}, Dist: &model.Gaussian{Mean: []float64{.1}, Var: []float64{.3}}})
	for i, by := range []float64{.7, 1.1} {
		y := m.NewReal(fmt.Sprint("Y", i)).ID
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{x, y}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{by}, Var: []float64{0}}})
	}
	_, mc, _ := sampledBy(t, m, brute.HybridEvidence{Reals: map[model.VarID]float64{1: .7 * .9, 2: 1.1 * .9}}, collapsed(100))
	want := -.5*(.8*.8/.3) - .5*math.Log(2*math.Pi*.3*.7*.7)
	if got := mc.Posterior(0); math.Abs(mc.LogP()-want) > 1e-9 || math.Abs(got[0]-.9) > 1e-9 || got[1] > 1e-12 {
		t.Errorf("ln p %v, X %v; want %v, and .9 with variance 0", mc.LogP(), got, want)
	}
	res, err := compiler.Compile(context.Background(), m, compiler.Options{Method: collapsed(100)})
	if err != nil {
		t.Fatal(err)
	}
	bad := eval.New(res.Program, res.Model)
	err = errors.Join(bad.ObserveReal(1, .63), bad.ObserveReal(2, .98))
	if err != nil {
		t.Fatal(err)
	}
	_, err = bad.RunTrials(context.Background(), &res.Program.Entries[0], pgmrt.TrialOptions{})
	if err == nil || !strings.Contains(err.Error(), "no sample agrees with the evidence") {
		t.Errorf("contradicted functions: error %v; want that no sample agrees", err)
	}
}

// TestCollapsedRefuses checks the messages for networks without a closed form.
func TestCollapsedRefuses(t *testing.T) {
	soft := precise()
	a := soft.NewVar("A", "a0", "a1").ID
	soft.Factors = append(soft.Factors, &model.Factor{Scope: []model.VarID{1, a}, Child: 1, Dist: &model.Softmax{Bias: []float64{.5, 0}, Coef: []float64{-2, 0}}})
	curve := precise()
	y := curve.NewReal("curve").ID
	curve.Factors = append(curve.Factors, &model.Factor{Scope: []model.VarID{1, y}, Child: 1,
		Dist: &model.Func{Nodes: []model.FuncNode{{Op: model.FuncVar, Axis: 0}, {Op: model.FuncSin, A: 0}}, Var: []float64{1}}})
	long := precise()
	for i := range 200 {
		v := long.NewReal(fmt.Sprint("Z", i)).ID
		long.Factors = append(long.Factors, &model.Factor{Scope: []model.VarID{v - 1, v}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{1}}})
	}
	for _, c := range []struct {
		m    *model.Model
		want string
	}{
		{soft, `variable "A" has a softmax CPD; method lw, collapsed, needs Gaussian CPDs`},
		{curve, `variable "curve" has an expression; method lw, collapsed, needs Gaussian CPDs`},
		{long, `change about 1.4e+06 covariances in a sample of method lw, collapsed; limit: 1048576; try it without collapsed`},
	} {
		if _, err := compiler.Compile(context.Background(), c.m, compiler.Options{Method: collapsed(10)}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v; want %q in it", err, c.want)
		}
	}
}
