package clg_test

import (
	"math"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// slopes returns the derivatives of ln p by the parameters of f from the moments of a posterior.
func slopes(h *brute.Hybrid, f *model.Factor) []float64 {
	m, d := h.Model, f.Gaussian()
	if d == nil {
		out := expected(h, f)
		for i, p := range numbersOf(m, f) {
			out[i] /= p
		}
		return out
	}
	own, real := m.SplitParents(f)
	n, rows, y := len(real), len(d.Mean), f.ChildVar()
	out := make([]float64, rows*(n+2))
	for i := range h.Parts {
		p := &h.Parts[i]
		r := index(m, own, p.State)
		mean, coef, variance := d.Row(r)
		off, square := p.Mean(y)-mean, 0.0
		with := func(v model.VarID) float64 {
			x := p.Cov(y, v)
			for k, u := range real {
				x -= coef[k] * p.Cov(u, v)
			}
			return x
		}
		square = with(y)
		for k, u := range real {
			off -= coef[k] * p.Mean(u)
			square -= coef[k] * with(u)
		}
		out[r] += p.P * off / variance
		for k, u := range real {
			out[(1+k)*rows+r] += p.P * (with(u) + off*p.Mean(u)) / variance
		}
		out[(n+1)*rows+r] += p.P * ((square+off*off)/variance - 1) / (2 * variance)
	}
	return out
}

// numbersOf returns the numbers of a discrete CPD.
func numbersOf(m *model.Model, f *model.Factor) []float64 {
	values, err := m.Tabulate(f, 1<<20)
	if err != nil {
		panic(err)
	}
	return values
}

// TestGradient compares derivatives with those from the moments of exact rationals, and with
// differences of their log-densities, in a program that was compiled for other parameters. Other
// queries of that program answer for the replaced parameters too.
func TestGradient(t *testing.T) {
	for seed := range uint64(irtest.Count(t, 12, 200)) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoZeros: true, Decades: 2, MaxVars: 6})
		s := compileBy(t, standardized(m), compiler.Options{Queries: []string{"gradient", "marginals", "posteriors", "logprob"}, Params: ir.Var, Check: true})
		s.m = m
		for k := range uint64(3) {
			e := irtest.HybridEvidence(seed*10+k, m, float64(k)/3)
			want, err := brute.NewHybrid(m, e)
			if err != nil {
				t.Fatal(err)
			}
			mc := s.machine(t, e)
			setParams(t, mc, s.p, m)
			if err := mc.Run(s.p.Entry("gradient")); err != nil {
				t.Fatal(err)
			}
			for i, f := range m.Factors {
				want := slopes(want, f)
				got := make([]float64, len(want))
				mc.Gradient(i, got)
				for j := range want {
					if !near(got[j], want[j], 1, 1e-8) {
						t.Errorf("seed %d, evidence %d, %s: derivative %d is %v; want %v", seed, k, m.FactorName(f), j, got[j], want[j])
					}
				}
				if j, d := difference(t, m, i, e, int(seed+k)); !near(got[j], d, 1, 1e-4) {
					t.Errorf("seed %d, evidence %d, %s: derivative %d is %v; a difference is %v", seed, k, m.FactorName(f), j, got[j], d)
				}
			}
			if err := mc.Run(s.p.Entry("logprob")); err != nil || !near(mc.LogP(), want.LogDensity, 1, 1e-9) {
				t.Errorf("seed %d: ln p %v, %v; want %v", seed, mc.LogP(), err, want.LogDensity)
			}
		}
	}
}

// difference returns the central difference of ln p by a parameter of factor i, and its number.
func difference(t *testing.T, m *model.Model, i int, e brute.HybridEvidence, pick int) (number int, d float64) {
	t.Helper()
	logs := [2]float64{}
	step := 0.0
	for k, sign := range []float64{1, -1} {
		changed := *m
		changed.Factors = slices.Clone(m.Factors)
		f := *m.Factors[i]
		if g := f.Gaussian(); g != nil {
			c := &model.Gaussian{Mean: slices.Clone(g.Mean), Coef: slices.Clone(g.Coef), Var: slices.Clone(g.Var)}
			n, rows := len(g.Coef)/len(g.Mean), len(g.Mean)
			number = pick % (rows * (n + 2))
			x := &c.Mean[number%rows]
			if column := number / rows; column == n+1 {
				x = &c.Var[number%rows]
			} else if column > 0 {
				x = &c.Coef[number%rows*n+column-1]
			}
			step = 1e-5 * math.Max(math.Abs(*x), .1)
			*x += sign * step
			f.Dist = c
		} else {
			values := slices.Clone(numbersOf(m, &f))
			number = pick % len(values)
			step = 1e-5 * values[number]
			values[number] += sign * step
			f.Dist = &model.Table{Values: values}
		}
		changed.Factors[i] = &f
		h, err := brute.NewHybrid(&changed, e)
		if err != nil {
			t.Fatal(err)
		}
		logs[k] = h.LogDensity
	}
	return number, (logs[0] - logs[1]) / (2 * step)
}
