package clg_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestReplaced replaces all parameters of programs that were compiled for others, variances of 0
// aside, and compares posteriors and most probable completions with exact rationals.
func TestReplaced(t *testing.T) {
	functions, best := 0, 0
	for _, seed := range irtest.Cases(t, 16, 200) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{Decades: 2, MaxVars: 6, Zeros: .5 * float64(seed%2), NoZeros: seed%2 == 0, NoDiscrete: seed%4 == 3})
		opt := compiler.Options{Queries: append([]string{"marginals", "logprob", "mpe"}, joints(m, seed)...), Params: ir.Var, Check: true}
		if _, err := compiler.Compile(t.Context(), m, opt); err != nil && strings.Contains(err.Error(), "rows of variance 0 and others") {
			opt.Queries = append(opt.Queries[:2], opt.Queries[3:]...)
		}
		s := compileBy(t, standardized(m), opt)
		s.m = m
		for k := range uint64(4) {
			e := irtest.HybridEvidence(seed*10+k, m, float64(k)/4)
			want, err := brute.NewHybrid(m, e)
			if err != nil {
				t.Fatal(err)
			}
			prior, err := brute.NewHybrid(m, givens(m, e))
			if err != nil {
				t.Fatal(err)
			}
			functions += want.Functions
			mc := s.machine(t, e)
			setParams(t, mc, s.p, m)
			for i := range s.p.Entries {
				entry := &s.p.Entries[i]
				if err := mc.Run(entry); err != nil {
					t.Fatal(err)
				}
				if entry.Query.Kind != ir.MPE {
					for _, d := range s.differences(mc, entry, want, prior) {
						t.Errorf("seed %d, %d: %s: %s", seed, k, entry.Query.Name, d)
					}
					continue
				}
				most := math.Inf(-1)
				for i := range want.Parts {
					x := make([]float64, len(m.Vars))
					for _, v := range m.Reals() {
						x[v] = want.Parts[i].Mean(v)
					}
					most = math.Max(most, m.LogDensity(want.Parts[i].State, x))
				}
				if state, x := s.assigned(mc); !math.IsInf(most, 0) && !math.IsInf(m.LogDensity(state, x), 0) {
					best++
					if got := m.LogDensity(state, x); !near(got, most, 1, 1e-9) || !near(mc.LogP(), most, 1, 1e-9) {
						t.Errorf("seed %d, %d: density %v, ln p %v; want %v", seed, k, got, mc.LogP(), most)
					}
				}
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	if functions < 3 || best < 20 {
		t.Errorf("%d values that others determine, %d completions compared; want more", functions, best)
	}
}
