package codegen_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/codegen/backend"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestStaleMemory asks engines of each back-end, and of blocks of all back-ends at random, a thousand questions in a row, with
// evidence on none to all of the variables. Whatever is left in its memory, an engine must answer as a new one does, to the bit,
// and as brute force does, and must not allocate.
func TestStaleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many packages")
	}
	for i, name := range []string{"nest", "tape", "auto", "mixed"} {
		t.Run(name, func(t *testing.T) {
			if name == "mixed" {
				mixBackends(t)
				name = "auto"
			}
			staleMemory(t, name, uint64(100*i))
		})
	}
}

// mixBackends makes the choice between back-ends a random one, block by block.
func mixBackends(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	backends := slices.Clone(codegen.Backends)
	t.Cleanup(func() { copy(codegen.Backends, backends) })
	for i, b := range backends {
		codegen.Backends[i].Cost = func(p *ir.Program, block *ir.Block) backend.Cost {
			c := b.Cost(p, block)
			c.NS = r.Float64()
			return c
		}
	}
}

func staleMemory(t *testing.T, backend string, seed uint64) {
	h := newHarness(t)
	opt := compiler.Options{Rows: model.RowsAsIs, Queries: []string{"marginals", "posteriors", "logprob", "mpe", "sample"}}
	for ; len(h.models) < 10; seed++ {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 7, MaxStates: 12, MaxJoint: 1 << 14})
		r, err := compiler.Compile(context.Background(), m, opt)
		if err != nil {
			t.Fatal(err)
		}
		all := func(_ int, _ *ir.Contract, may []bool) []bool { return may }
		if ir.RangesOf(r.Program, all) == nil {
			continue
		}
		h.add(m, opt, codegen.Options{Backend: backend, Runtime: codegen.RuntimeImport, Types: codegen.TypesShared})
		h.poison()
	}
	h.build()
	for i, m := range h.models {
		joint, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		for k := range uint64(100) {
			e := irtest.EvidenceOn(k, m, float64(k%5)/4, float64(k%3)/4)
			if k%7 == 0 {
				e = irtest.RandomEvidence(k, m)
			}
			q := asQuestion(i, m, e)
			q.Stale = true
			if r := h.ask(q); r.Fresh != "" {
				t.Fatalf("package %d, evidence %d: %v; a new engine has %s", i, k, r, r.Fresh)
			}
			if k%10 == 0 {
				comparePackage(t, h, i, joint, e)
			}
		}
	}
}
