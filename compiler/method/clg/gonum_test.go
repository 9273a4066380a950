package clg_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestConditionNormal compares joint posteriors of linear Gaussian networks with what gonum makes
// of the joint prior by conditioning its covariance matrix.
func TestConditionNormal(t *testing.T) {
	compared := 0
	for _, seed := range irtest.Cases(t, 20, 200) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoDiscrete: true, NoZeros: true, NoGivens: true, Decades: 1, MaxVars: 10})
		e := irtest.HybridEvidence(seed, m, .4)
		var seen []int
		var values []float64
		var rest, all []model.VarID
		for v := range m.Vars {
			all = append(all, model.VarID(v))
			if x, ok := e.Reals[model.VarID(v)]; ok {
				seen, values = append(seen, v), append(values, x)
			} else {
				rest = append(rest, model.VarID(v))
			}
		}
		if len(seen) == 0 || len(rest) == 0 {
			continue
		}
		query := func(vars []model.VarID) string {
			return compiler.Specification(m, &ir.Query{Kind: ir.Joint, Targets: vars})
		}
		s := compile(t, m, query(all), query(rest))
		mean, cov := s.joint(t, 0, brute.HybridEvidence{}, len(all))
		prior, ok := distmv.NewNormal(mean, cov, nil)
		if !ok {
			t.Fatalf("seed %d: the prior covariances are not positive definite", seed)
		}
		want, ok := prior.ConditionNormal(seen, values, nil)
		if !ok {
			t.Fatalf("seed %d: gonum does not condition", seed)
		}
		mean, cov = s.joint(t, len(s.p.Entries)-1, e, len(rest))
		var posterior mat.SymDense
		want.CovarianceMatrix(&posterior)
		for i, x := range want.Mean(nil) {
			compared++
			if !near(mean[i], x, 1, 1e-9) {
				t.Errorf("seed %d: mean %d is %v; want %v", seed, i, mean[i], x)
			}
			for k := range i + 1 {
				if x := posterior.At(i, k); !near(cov.At(i, k), x, 1, 1e-9) {
					t.Errorf("seed %d: covariance %d, %d is %v; want %v", seed, i, k, cov.At(i, k), x)
				}
			}
		}
	}
	if compared < 30 {
		t.Errorf("%d variables compared; want more", compared)
	}
}

// joint runs an entry about n real variables and returns their means and covariances.
func (s *subject) joint(t *testing.T, entry int, e brute.HybridEvidence, n int) (mean []float64, cov *mat.SymDense) {
	t.Helper()
	mc := s.machine(t, e)
	if err := mc.Run(&s.p.Entries[entry]); err != nil {
		t.Fatal(err)
	}
	numbers := mc.Posterior(0)[1:]
	mean, cov = append([]float64{}, numbers[:n]...), mat.NewSymDense(n, nil)
	for i := range n {
		for k := range i + 1 {
			cov.SetSym(i, k, numbers[n+i*(i+1)/2+k])
		}
	}
	return mean, cov
}
