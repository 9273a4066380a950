package clg_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// standardized returns the network with Gaussian CPDs of mean 0, variance 1 and coefficients of 0,
// and uniform tables.
func standardized(m *model.Model) *model.Model {
	out := *m
	out.Factors = nil
	for _, f := range m.Factors {
		g := *f
		if d := f.Gaussian(); d != nil {
			one := &model.Gaussian{Mean: make([]float64, len(d.Mean)), Coef: make([]float64, len(d.Coef)), Var: make([]float64, len(d.Var))}
			for i, variance := range d.Var {
				if variance > 0 {
					one.Var[i] = 1
				}
			}
			g.Dist = one
		} else {
			n, _ := m.TableSize(f.Scope)
			values := make([]float64, n)
			for i := range values {
				values[i] = 1 / float64(m.Card(f.ChildVar()))
			}
			g.Dist = &model.Table{Values: values}
		}
		out.Factors = append(out.Factors, &g)
	}
	return &out
}

// expected returns the statistics of a CPD from a posterior, in the order of ir.Statistics.
func expected(h *brute.Hybrid, f *model.Factor) []float64 {
	m := h.Model
	if f.Gaussian() == nil {
		n, _ := m.TableSize(f.Scope)
		out := make([]float64, n)
		for i := range h.Parts {
			out[index(m, f.Scope, h.Parts[i].State)] += h.Parts[i].P
		}
		return out
	}
	own, real := m.SplitParents(f)
	real = append(real, f.ChildVar())
	rows := len(f.Gaussian().Mean)
	out := make([]float64, rows*(1+len(real)+len(real)*(len(real)+1)/2))
	for r := range rows {
		var in []*brute.Part
		for i := range h.Parts {
			if p := &h.Parts[i]; index(m, own, p.State) == r {
				in = append(in, p)
				out[r] += p.P
			}
		}
		mean := make([]float64, len(real))
		for i, v := range real {
			for _, p := range in {
				mean[i] += p.P / out[r] * p.Mean(v)
			}
			out[(1+i)*rows+r] = mean[i]
		}
		at := 1 + len(real)
		for i, v := range real {
			for j, u := range real[:i+1] {
				for _, p := range in {
					out[at*rows+r] += p.P / out[r] * (p.Cov(v, u) + (p.Mean(v)-mean[i])*(p.Mean(u)-mean[j]))
				}
				at++
			}
		}
	}
	return out
}

func index(m *model.Model, vars []model.VarID, state []int) (at int) {
	for _, v := range vars {
		at = at*m.Card(v) + state[v]
	}
	return at
}

// TestStatistics compares expected sufficient statistics with those of exact rationals on random
// networks, in a program that was compiled for other parameters.
func TestStatistics(t *testing.T) {
	for _, seed := range irtest.Cases(t, 12, 200) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoZeros: true, Decades: 2})
		res, err := compiler.Compile(context.Background(), standardized(m), compiler.Options{Queries: []string{"statistics"}, Params: ir.Var, Check: true})
		if err != nil {
			t.Fatal(err)
		}
		s := &subject{res.Model, res.Program, 1}
		for k := range uint64(4) {
			e := irtest.HybridEvidence(seed*10+k, m, float64(k)/4)
			want, err := brute.NewHybrid(m, e)
			if err != nil {
				t.Fatal(err)
			}
			mc := s.machine(t, e)
			setParams(t, mc, s.p, m)
			if err := mc.Run(&s.p.Entries[0]); err != nil {
				t.Fatal(err)
			}
			if got := mc.LogP(); !near(got, want.LogDensity, 1, 1e-9) {
				t.Errorf("seed %d: ln p %v; want %v", seed, got, want.LogDensity)
			}
			for i, f := range m.Factors {
				want := expected(want, f)
				got := make([]float64, len(want))
				mc.Statistics(i, got)
				if at := differs(got, want, f); at != "" {
					t.Errorf("seed %d, evidence %d, %s: %s", seed, k, m.FactorName(f), at)
				}
			}
		}
	}
}

// setParams sets the parameters of m.
func setParams(t *testing.T, mc *eval.Machine, p *ir.Program, m *model.Model) {
	t.Helper()
	for _, id := range p.ParamSpans() {
		f := m.Factors[slices.IndexFunc(m.Factors, func(f *model.Factor) bool { return m.FactorName(f) == p.Spans[id].Name })]
		var values []float64
		if d := f.Gaussian(); d != nil {
			values = d.Columns()
		} else {
			var err error
			if values, err = m.Tabulate(f, 1<<20); err != nil {
				t.Fatal(err)
			}
		}
		if err := mc.SetParams(id, values); err != nil {
			t.Fatal(err)
		}
	}
}

// differs describes the first number that differs, except moments given a joint state of
// probability 0.
func differs(got, want []float64, f *model.Factor) string {
	const tol = 1e-8 // prior variances are up to 1e6 times the posterior ones
	rows := len(want)
	if d := f.Gaussian(); d != nil {
		rows = len(d.Mean)
	}
	for i := range want {
		if i >= rows && want[i%rows] < 1e-9 {
			continue
		}
		if math.IsNaN(want[i]) || !near(got[i], want[i], 1, tol) {
			return fmt.Sprintf("number %d is %v; want %v", i, got[i], want[i])
		}
	}
	return ""
}
