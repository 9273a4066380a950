package clg_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestMeasured compares answers given measurements of real variables with exact rationals, also of
// variables that are observed as well.
func TestMeasured(t *testing.T) {
	for _, seed := range irtest.Cases(t, 10, 200) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{})
		queries := append([]string{"marginals", "logprob"}, joints(m, seed)...)
		s := compileBy(t, m, compiler.Options{Queries: queries, Check: true, Measurements: true})
		r := rand.New(rand.NewPCG(seed, 8))
		for k := range uint64(4) {
			e := irtest.HybridEvidence(seed*10+k, m, float64(k)/5)
			prior, err := brute.NewHybrid(m, e)
			if err != nil {
				t.Fatal(err)
			}
			e.Measured = map[model.VarID]model.Normal{}
			for _, v := range m.Reals() {
				if _, variance := prior.Moments(v); r.IntN(2) == 0 && !m.Vars[v].Given && len(prior.Parts) > 0 {
					mean, _ := prior.Moments(v)
					error := max(variance, 1e-6) * math.Exp(4*r.NormFloat64())
					e.Measured[v] = model.Normal{Mean: mean + r.NormFloat64()*math.Sqrt(error), Var: error}
				}
			}
			s.check(t, e)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
