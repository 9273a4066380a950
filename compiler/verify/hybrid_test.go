package verify_test

import (
	"context"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/verify"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// hybridAnswers answers all that a program of a network with real variables can be compared by.
func hybridAnswers(r *compiler.Result) func(context.Context, *infer.Findings) verify.Answer {
	e, want := infer.Of(r, 0), verify.WantedOf(r)
	return func(ctx context.Context, f *infer.Findings) (a verify.Answer) {
		var all *infer.Marginals
		if all, a.Err = e.Marginals(ctx, f); a.Err != nil {
			return a
		}
		a.LogProb = all.LogProb
		for i := range all.List {
			a.Marginals = append(a.Marginals, all.List[i].Numbers())
		}
		for _, v := range want.Mixture {
			mixture, err := e.Mixture(ctx, f, r.Model.Vars[v].Name)
			if err != nil {
				return verify.Answer{Err: err}
			}
			var numbers []float64
			for _, c := range mixture {
				numbers = append(numbers, c.P, c.Mean, c.Var)
			}
			a.Mixture = append(a.Mixture, numbers)
		}
		if !want.MPE {
			return a
		}
		best, err := e.MPE(ctx, f)
		if err != nil {
			return verify.Answer{Err: err}
		}
		a.MPELogProb = best.LogProb
		for _, s := range best.States {
			a.MPE, a.MPEReal = append(a.MPE, s.Index), append(a.MPEReal, s.Value)
		}
		return a
	}
}

// tank returns a network of two real variables, one of which has a discrete parent.
func tank() *model.Model {
	m := &model.Model{Name: "tank"}
	valve, inflow, level := m.NewVar("valve", "open", "shut").ID, m.NewReal("inflow").ID, m.NewReal("level").ID
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{valve}, Dist: &model.Table{Values: []float64{.25, .75}}},
		{Scope: []model.VarID{inflow}, Dist: &model.Gaussian{Mean: []float64{1}, Var: []float64{4}}},
		{Scope: []model.VarID{valve, inflow, level}, Child: 2, Dist: &model.Gaussian{Mean: []float64{-1.5, .5}, Coef: []float64{.5, 2}, Var: []float64{.25, .5}}},
	}
	return m
}

// TestHybrid compares random networks with exact rationals: posteriors, mixtures and most probable
// completions, with and without measurements, and with functions observed.
func TestHybrid(t *testing.T) {
	compared := map[string]int{}
	for _, seed := range irtest.Cases(t, 12, 100) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{Decades: 2, Zeros: .4 * float64(seed%3/2), MaxVars: 6})
		x := m.Vars[m.Reals()[0]].Name
		opt := compiler.Options{Queries: []string{"marginals", "mixture(" + x + ")", "mpe"}, Measurements: seed%2 == 0}
		r, err := compiler.Compile(t.Context(), m, opt)
		if err != nil && strings.Contains(err.Error(), "rows of variance 0 and others") {
			opt.Queries = opt.Queries[:2]
			r, err = compiler.Compile(t.Context(), m, opt)
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := verify.Check(t.Context(), r, verify.OneByOne(hybridAnswers(r)), verify.Options{Compile: opt, Sets: 15, Tolerance: 1e-8, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		if got.Failure != nil || got.Impossible > 10 {
			t.Errorf("seed %d: found %+v, failure %+v", seed, got, got.Failure)
		}
		for kind := range got.Differences {
			compared[kind]++
		}
	}
	for _, kind := range []string{"marginals", "logprob", "mixture", "mpe"} {
		if compared[kind] == 0 {
			t.Errorf("no %s compared", kind)
		}
	}
}

// TestWrongHybridAnswers changes one answer about real variables, each time in another way.
func TestWrongHybridAnswers(t *testing.T) {
	opt := compiler.Options{Queries: []string{"marginals", "mixture(level)", "mpe"}, Measurements: true}
	r, err := compiler.Compile(t.Context(), tank(), opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what   string
		change func(a *verify.Answer)
	}{
		{"the var of inflow is", func(a *verify.Answer) { a.Marginals[1][1] += 1e-6 }},
		{"the mixture of level has a component of weight", func(a *verify.Answer) { a.Mixture[0][0] -= 1e-6 }},
		{"the mixture of level has a component with the mean", func(a *verify.Answer) { a.Mixture[0][1] += 1e-7 }},
		{"the mixture of level has a component with the variance", func(a *verify.Answer) { a.Mixture[0][2] += 1e-7 }},
		{"the sum of the weights of the mixture of level", func(a *verify.Answer) { a.Mixture[0] = append(a.Mixture[0], .5, 1e3, 1) }},
		{"the log-probability of the best completion is", func(a *verify.Answer) { a.MPELogProb += 1e-6 }},
		{"the log-probability of the completion that was given is", func(a *verify.Answer) { a.MPEReal[1] += .01 }},
	} {
		t.Run(c.what, func(t *testing.T) {
			right, n := hybridAnswers(r), 0
			answer := func(ctx context.Context, f *infer.Findings) verify.Answer {
				a := right(ctx, f)
				if n++; n == 3 {
					c.change(&a)
				}
				return a
			}
			got, err := verify.Check(t.Context(), r, verify.OneByOne(answer), verify.Options{Compile: opt, Sets: 5, Tolerance: 1e-9})
			if err != nil {
				t.Fatal(err)
			}
			if f := got.Failure; f == nil || f.Set != 3 || !strings.HasPrefix(f.What, c.what) {
				t.Errorf("the failure is %+v; want one of set 3: %s", f, c.what)
			}
		})
	}
}

// TestMeasuredSets checks that evidence has measurements exactly if the program takes them.
func TestMeasuredSets(t *testing.T) {
	for _, measured := range []bool{false, true} {
		opt := compiler.Options{Queries: []string{"marginals"}, Measurements: measured}
		r, err := compiler.Compile(t.Context(), tank(), opt)
		if err != nil {
			t.Fatal(err)
		}
		right, n := hybridAnswers(r), 0
		answer := func(ctx context.Context, f *infer.Findings) verify.Answer {
			if f.Soft[1] != nil || f.Soft[2] != nil {
				n++
			}
			return right(ctx, f)
		}
		got, err := verify.Check(t.Context(), r, verify.OneByOne(answer), verify.Options{Compile: opt, Sets: 20, Tolerance: 1e-9})
		if err != nil || got.Failure != nil || n > 0 != measured {
			t.Errorf("%d measured sets, failure %+v, %v; want some: %v", n, got.Failure, err, measured)
		}
	}
}
