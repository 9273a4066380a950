package codegen_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/compilertest"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestSecondPlans compares packages that have two plans for a query with brute force, on evidence
// on none to all of the variables. Engines with other numbers in their memory, and packages built
// without assembly, give the same bits.
func TestSecondPlans(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many packages")
	}
	cases := irtest.Cases(t, 14, 1700) // one and a hundred models have two plans
	assembly, twin := newHarness(t), newHarness(t)
	for _, backend := range []string{"auto", "unroll", "tape"} {
		secondPlans(assembly, backend, cases)
		secondPlans(twin, backend, cases)
	}
	assembly.build()
	twin.build("-tags", "purego")
	for i, m := range assembly.models {
		joint, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		for k := range uint64(20) {
			e := irtest.EvidenceOn(k, m, float64(k%5)/4, float64(k%3)/4)
			comparePackage(t, assembly, i, joint, e, &further{})
			q := asQuestion(i, m, e)
			q.Stale = true
			a, b := assembly.ask(q), twin.ask(q)
			if x, y := fmt.Sprintf("%+v", a), fmt.Sprintf("%+v", b); x != y || a.Fresh != "" {
				t.Fatalf("package %d, evidence %d:\n%s\nwithout assembly\n%s", i, k, x, y)
			}
		}
	}
}

// secondPlans emits the random models, of those with the given seeds, whose queries have two plans.
func secondPlans(h *harness, backend string, cases []uint64) {
	for _, seed := range cases {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 6, MaxStates: 12, MaxJoint: 1 << 12})
		r, err := compiler.Compile(context.Background(), m, compiler.Options{Rows: model.RowsAsIs, Method: compiler.Named(compiler.Auto), Steps: 100,
			Queries: []string{"marginals", "posteriors", "logprob", "mpe", "sample"}}.Trial(compilertest.Trial{Second: true}))
		if err != nil {
			h.Fatal(err)
		}
		if r.Program.Instead(r.Program.Entry("marginals")) == nil {
			continue
		}
		h.emit(m, r, codegen.Options{Backend: backend, Runtime: codegen.RuntimeImport, Types: codegen.TypesShared})
		h.poison(r.Program)
	}
}
