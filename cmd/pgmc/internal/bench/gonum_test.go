package bench

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// conditioned returns a linear Gaussian network with a joint density, its distribution by gonum,
// and sets of evidence: the observed variables and their values.
func conditioned(tb testing.TB) (m *model.Model, prior *distmv.Normal, seen [][]int, values [][]float64) {
	tb.Helper()
	m = irtest.RandomHybrid(4, irtest.HybridOptions{NoDiscrete: true, NoGivens: true, Decades: 1, MaxVars: 12})
	mean, cov := joint(m)
	prior, ok := distmv.NewNormal(mean, cov, nil)
	if !ok {
		tb.Fatal("the network has no joint density")
	}
	r, err := compiler.Compile(tb.Context(), m, compiler.Options{Queries: []string{"logprob", "marginals"}})
	if err != nil {
		tb.Fatal(err)
	}
	e, err := drawEvidence(tb.Context(), &cli.App{Seed: 1}, m.Name, r, compiler.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	for _, set := range e.Sets {
		var at []int
		var x []float64
		for v, value := range set {
			if value != nil {
				at, x = append(at, v), append(x, *value)
			}
		}
		seen, values = append(seen, at), append(values, x)
	}
	return m, prior, seen, values
}

// TestGonum compares posteriors of the interpreter with those of gonum. gonum's rounding errors
// grow with the condition of the covariances.
func TestGonum(t *testing.T) {
	m, prior, seen, values := conditioned(t)
	e, err := infer.New(t.Context(), m, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range seen {
		d, ok := prior.ConditionNormal(seen[i], values[i], nil)
		if !ok {
			t.Fatalf("gonum does not condition on variables %v", seen[i])
		}
		known := infer.NewFindings(len(m.Vars))
		for k, v := range seen[i] {
			known.Observe(m.Vars[v], model.Value{Real: values[i][k]})
		}
		want, err := e.Marginals(t.Context(), known)
		if err != nil {
			t.Fatal(err)
		}
		var cov mat.SymDense
		d.CovarianceMatrix(&cov)
		mean, k := d.Mean(nil), 0
		for v := range m.Vars {
			if slices.Contains(seen[i], v) {
				continue
			}
			irtest.CloseTo(t, mean[k], want.List[v].Mean, 1e-6)
			irtest.CloseTo(t, cov.At(k, k), want.List[v].Variance, 1e-6)
			k++
		}
	}
}

// BenchmarkGonum times the posteriors of all variables of a linear Gaussian network: by gonum,
// which conditions the distribution of all variables, and by the interpreter.
func BenchmarkGonum(b *testing.B) {
	m, prior, seen, values := conditioned(b)
	b.Run("gonum", func(b *testing.B) {
		var cond mat.SymDense
		out := make([]float64, 0, len(m.Vars))
		for i := 0; b.Loop(); i = (i + 1) % len(seen) {
			d, _ := prior.ConditionNormal(seen[i], values[i], nil)
			cond.Reset()
			d.CovarianceMatrix(&cond)
			out = d.Mean(out[:len(m.Vars)-len(seen[i])])
		}
	})
	b.Run("interpreter", func(b *testing.B) {
		r, err := compiler.Compile(b.Context(), m, compiler.Options{Queries: []string{"marginals"}})
		if err != nil {
			b.Fatal(err)
		}
		in := newInterpreter(r, ir.Marginals)
		sets := make([][]*float64, len(seen))
		for i := range seen {
			sets[i] = make([]*float64, len(m.Vars))
			for k, v := range seen[i] {
				sets[i][v] = &values[i][k]
			}
		}
		for i := 0; b.Loop(); i = (i + 1) % len(seen) {
			if err := in.run(sets[i]); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// joint returns the joint moments of a linear Gaussian network.
func joint(m *model.Model) (mean []float64, cov *mat.SymDense) {
	n := len(m.Vars)
	mean, cov = make([]float64, n), mat.NewSymDense(n, nil)
	var before []int
	for _, v := range m.Topological() {
		f := m.CPD(v)
		if f == nil {
			continue // a given variable, whose variance of 0 no density has
		}
		at, coef, variance := f.Gaussian().Row(0)
		_, parents := m.SplitParents(f)
		for i, u := range parents {
			at += float64(coef[i] * mean[u])
		}
		mean[v] = at
		for _, w := range before {
			sum := 0.0
			for i, u := range parents {
				sum += float64(coef[i] * cov.At(int(u), w))
			}
			cov.SetSym(int(v), w, sum)
		}
		for i, u := range parents {
			variance += float64(coef[i] * cov.At(int(u), int(v)))
		}
		cov.SetSym(int(v), int(v), variance)
		before = append(before, int(v))
	}
	return mean, cov
}
