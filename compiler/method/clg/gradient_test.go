package clg_test

import (
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
	for _, seed := range irtest.Cases(t, 12, 200) {
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
				if j, d, _ := difference(t, m, i, e, int(seed+k), func(h *brute.Hybrid) float64 { return h.LogDensity }); !near(got[j], d, 1, 1e-4) {
					t.Errorf("seed %d, evidence %d, %s: derivative %d is %v; a difference is %v", seed, k, m.FactorName(f), j, got[j], d)
				}
			}
			if err := mc.Run(s.p.Entry("logprob")); err != nil || !near(mc.LogP(), want.LogDensity, 1, 1e-9) {
				t.Errorf("seed %d: ln p %v, %v; want %v", seed, mc.LogP(), err, want.LogDensity)
			}
		}
	}
}

// difference returns the central difference of a number of the posterior by a parameter of factor
// i, and the place of the parameter. fixed reports that it is a variance of 0, which must stay.
func difference(t *testing.T, m *model.Model, i int, e brute.HybridEvidence, pick int, of func(*brute.Hybrid) float64) (number int, d float64, fixed bool) {
	t.Helper()
	values := [2]float64{}
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
				if x = &c.Var[number%rows]; *x == 0 {
					return number, 0, true
				}
			} else if column > 0 {
				x = &c.Coef[number%rows*n+column-1]
			}
			step = 1e-5 * math.Max(math.Abs(*x), .1)
			*x += sign * step
			f.Dist = c
		} else {
			p := slices.Clone(numbersOf(m, &f))
			number = pick % len(p)
			step = 1e-5 * p[number]
			p[number] += sign * step
			f.Dist = &model.Table{Values: p}
		}
		changed.Factors[i] = &f
		h, err := brute.NewHybrid(&changed, e)
		if err != nil {
			t.Fatal(err)
		}
		values[k] = of(h)
	}
	if step == 0 { // of a zero of a table
		return number, 0, true
	}
	return number, (values[0] - values[1]) / (2 * step), false
}

// TestFunctionGradient compares derivatives in networks with functions, observed or not, with
// central differences of exact rationals. Where other values determine that of a function, its
// parameters cannot change.
func TestFunctionGradient(t *testing.T) {
	compared, means := 0, 0
	for _, seed := range irtest.Cases(t, 12, 200) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{Zeros: .5, Decades: 1, MaxVars: 6, NoDiscrete: seed%3 == 0})
		if len(m.Factors) == 0 {
			continue // all are given
		}
		s := compileBy(t, standardized(m), compiler.Options{Queries: []string{"sensitivity", "gradient"}, Params: ir.Var, Check: true})
		s.m = m
		for k := range uint64(4) {
			e := irtest.HybridEvidence(seed*10+k, m, float64(k)/5)
			want, err := brute.NewHybrid(m, e)
			if err != nil {
				t.Fatal(err)
			}
			if want.Functions > 0 {
				continue
			}
			mc := s.machine(t, e)
			setParams(t, mc, s.p, m)
			if err := mc.Run(s.p.Entry("gradient")); err != nil {
				t.Fatal(err)
			}
			for i := range m.Factors {
				j, d, fixed := difference(t, m, i, e, int(seed+k), func(h *brute.Hybrid) float64 { return h.LogDensity })
				got := make([]float64, s.p.Spans[s.p.ParamSpans()[i]].Len)
				if mc.Gradient(i, got); !fixed && !near(got[j], d, 1, 1e-5) {
					t.Errorf("seed %d, evidence %d, %s: derivative %d is %v; a difference is %v", seed, k, m.FactorName(m.Factors[i]), j, got[j], d)
				}
				compared++
			}
			for _, v := range m.Reals() {
				means += s.meanDifferences(t, mc, e, v, int(seed+k))
			}
		}
	}
	if compared < 60 || means < 100 {
		t.Errorf("%d derivatives and %d of means compared; want more", compared, means)
	}
}

// meanDifferences compares sensitivities of the mean of v, one a factor, with central differences,
// and returns how many.
func (s *subject) meanDifferences(t *testing.T, mc *eval.Machine, e brute.HybridEvidence, v model.VarID, pick int) (n int) {
	t.Helper()
	mean, out := s.sensitivity(t, mc, v)
	h, err := brute.NewHybrid(s.m, e)
	if want, _ := h.Moments(v); err != nil || !near(mean, want, 1, 1e-9) {
		t.Errorf("mean of %s is %v; want %v, %v", s.m.Vars[v].Name, mean, want, err)
	}
	for i, f := range s.m.Factors {
		j, d, fixed := difference(t, s.m, i, e, pick, func(h *brute.Hybrid) float64 { mean, _ := h.Moments(v); return mean })
		if fixed || ofZeroCoefficient(s.m, f, j, v) {
			continue
		}
		if n++; !near(out[i][j], d, 1, 1e-5) {
			t.Errorf("%s: derivative of the mean of %s by number %d is %v; a difference is %v", s.m.FactorName(f), s.m.Vars[v].Name, j, out[i][j], d)
		}
	}
	return n
}

// ofZeroCoefficient reports whether number j of f is a coefficient of 0 of v in a function. If the
// function is observed, the derivative of the mean of v by it is not complete; see the package
// comment.
func ofZeroCoefficient(m *model.Model, f *model.Factor, j int, v model.VarID) bool {
	d := f.Gaussian()
	if d == nil || !d.HasZeros() {
		return false
	}
	_, real := m.SplitParents(f)
	at := j/len(d.Mean) - 1
	return at >= 0 && at < len(real) && real[at] == v && d.Columns()[j] == 0
}

// sensitivity returns the mean of v and its derivatives by the numbers of each factor.
func (s *subject) sensitivity(t *testing.T, mc *eval.Machine, v model.VarID) (mean float64, out [][]float64) {
	t.Helper()
	for _, id := range s.p.ParamSpans() {
		out = append(out, make([]float64, s.p.Spans[id].Len))
	}
	mean, err := mc.Sensitivity(s.p.Entry("sensitivity"), v, 0, out)
	if err != nil {
		t.Fatal(err)
	}
	return mean, out
}

// meanSlopes returns the derivatives of the posterior mean of x by the parameters of f: its
// covariance with those of ln of the density, from the moments of each component.
func meanSlopes(h *brute.Hybrid, f *model.Factor, x model.VarID) []float64 {
	m, d := h.Model, f.Gaussian()
	mean, _ := h.Moments(x)
	if d == nil {
		out := make([]float64, len(numbersOf(m, f)))
		for i := range h.Parts {
			p := &h.Parts[i]
			out[index(m, f.Scope, p.State)] += p.P * (p.Mean(x) - mean)
		}
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
		part := brute.Hybrid{Model: m, Parts: []brute.Part{*p}}
		for j, s := range slopes(&part, f) { // times p.P
			out[j] += s * (p.Mean(x) - mean)
		}
		r := index(m, own, p.State)
		constant, coef, variance := d.Row(r)
		off, with := p.Mean(y)-constant, p.Cov(y, x)
		for k, u := range real {
			off -= coef[k] * p.Mean(u)
			with -= coef[k] * p.Cov(u, x)
		}
		out[r] += p.P * with / variance
		for k, u := range real {
			out[(1+k)*rows+r] += p.P * (with*p.Mean(u) + p.Cov(u, x)*off) / variance
		}
		out[(n+1)*rows+r] += p.P * off * with / (variance * variance)
	}
	return out
}

// TestMeanSensitivity compares the sensitivities of means with covariances from exact rationals.
func TestMeanSensitivity(t *testing.T) {
	for _, seed := range irtest.Cases(t, 12, 200) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoZeros: true, Decades: 2, MaxVars: 6, NoDiscrete: seed%4 == 3})
		s := compileBy(t, standardized(m), compiler.Options{Queries: []string{"marginals", "sensitivity"}, Params: ir.Var, Check: true})
		s.m = m
		for k := range uint64(3) {
			e := irtest.HybridEvidence(seed*10+k, m, float64(k)/3)
			want, err := brute.NewHybrid(m, e)
			if err != nil {
				t.Fatal(err)
			}
			mc := s.machine(t, e)
			setParams(t, mc, s.p, m)
			for _, v := range m.Vars {
				if !m.IsReal(v.ID) {
					continue
				}
				mean, got := s.sensitivity(t, mc, v.ID)
				if exact, _ := want.Moments(v.ID); !near(mean, exact, 1, 1e-10) {
					t.Errorf("seed %d, evidence %d: mean of %s is %v; want %v", seed, k, v.Name, mean, exact)
				}
				for i, f := range m.Factors {
					for j, x := range meanSlopes(want, f, v.ID) {
						if !near(got[i][j], x, 1, 1e-8) {
							t.Errorf("seed %d, evidence %d, %s: derivative of the mean of %s by number %d is %v; want %v", seed, k, m.FactorName(f), v.Name, j, got[i][j], x)
						}
					}
				}
			}
		}
	}
}
