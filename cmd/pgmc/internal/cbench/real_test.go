package cbench_test

import (
	"context"
	"math"
	"strconv"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cbench"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestReals compares the straight-line programs of random networks with real variables with the
// interpreter: linear Gaussian ones, and ones that have discrete variables and variances of 0.
func TestReals(t *testing.T) {
	compilerC := cc(t)
	for seed := range uint64(4) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{Decades: 2, NoDiscrete: seed == 0, NoGivens: true})
		r, err := compiler.Compile(context.Background(), m, compiler.Options{})
		if err != nil {
			t.Fatal(err)
		}
		e := r.Program.Entry(ir.Marginals.String())
		p, err := cbench.Straight(r.Program, e, r.Model)
		if err != nil {
			t.Fatal(err)
		}
		var sets, values [][]string
		var want [][]float64
		for k := range uint64(4) {
			found := irtest.HybridEvidence(10*seed+k, m, float64(k)/4)
			mc := eval.New(r.Program, r.Model)
			states, reals := make([]string, len(m.Vars)), make([]string, len(m.Vars))
			for v := range m.Vars {
				states[v], reals[v] = "0", "0"
			}
			for v, s := range found.States {
				states[v] = strconv.Itoa(s + 1)
				if err := mc.Observe(v, s); err != nil {
					t.Fatal(err)
				}
			}
			for v, x := range found.Reals {
				states[v], reals[v] = "1", strconv.FormatFloat(x, 'g', -1, 64)
				if err := mc.ObserveReal(v, x); err != nil {
					t.Fatal(err)
				}
			}
			if err := mc.Run(e); err != nil {
				t.Fatal(err)
			}
			list := []float64{mc.LogP()}
			for i := range e.Outs {
				list = append(list, mc.Posterior(i)...)
			}
			sets, values, want = append(sets, states), append(values, reals), append(want, list)
		}
		for i, got := range runWith(t, compilerC, p, len(sets), append(sets, values...)) {
			for k, x := range want[i] {
				if len(got) != len(want[i]) || math.Abs(got[k]-x) > 1e-9*max(1, math.Abs(x)) {
					t.Fatalf("seed %d, set %d: %v; want %v", seed, i, got, want[i])
				}
			}
		}
	}
}
