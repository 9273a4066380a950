package codegen_test

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/nest"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/compilertest"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestStaleMemory asks engines of each back-end, and engines with a random back-end for each block,
// a thousand questions in a row, with evidence on none to all of the variables. Whatever its memory
// holds, an engine must answer as a new one does, to the bit, and as brute force does, and must not
// allocate.
func TestStaleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many packages")
	}
	h := newHarness(t)
	var asked []*further
	for i, name := range []string{"nest", "tape", "auto", "mixed"} {
		if name == "mixed" {
			mixBackends(t)
			name = "auto"
		}
		asked = append(asked, rangedPackages(h, name, uint64(100*i))...)
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
				comparePackage(t, h, i, joint, e, asked[i])
			}
		}
	}
}

// mixBackends makes the choice of back-ends random, block by block.
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

// rangedPackages emits random models of which a program looks up ranges, by a back-end, and returns
// their further queries.
func rangedPackages(h *harness, backend string, seed uint64) (asked []*further) {
	for ; len(asked) < irtest.Count(h, 2, 6); seed++ {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 7, MaxStates: 12, MaxJoint: 1 << 14})
		f := &further{m: m, rng: rand.New(rand.NewPCG(seed, 5))}
		opt := compiler.Options{Rows: model.RowsAsIs, Queries: []string{"marginals", "posteriors", "logprob", "mpe", "sample"}}
		var trial compilertest.Trial
		if len(asked)%2 == 0 {
			opt.Queries = append(opt.Queries, f.queries()...)
		}
		if len(asked)%3 == 1 {
			opt.Queries = append(opt.Queries, "session")
		}
		if len(asked)%2 == 1 {
			trial.Lay = 1 // single posteriors may have blocks of their own
		}
		switch {
		case len(asked)%3 == 2 && backend != "nest":
			opt.Method, trial.Second = compiler.Named(compiler.Auto), true
		case len(asked)%5 == 3:
			opt.Params, opt.Queries = ir.Var, append(opt.Queries, "gradient", "sensitivity")
		}
		r, err := compiler.Compile(context.Background(), m, opt.Trial(trial))
		if err != nil {
			h.Fatal(err)
		}
		all := func(_ int, _ *ir.Contract, may []bool) []bool { return may }
		if ir.RangesOf(r.Program, all) == nil {
			continue
		}
		h.emit(m, r, codegen.Options{Backend: backend, Runtime: codegen.RuntimeImport, Types: codegen.TypesShared})
		h.poison(r.Program)
		asked = append(asked, f)
	}
	return asked
}

// networks lists those with large tables.
var networks = []string{"insurance", "pigs", "munin3", "diabetes", "barley"}

// kindsOfEvidence returns the variables that are observed: none, a tenth of the leaves, a tenth of
// all, half of all.
var kindsOfEvidence = []struct {
	name     string
	observed func(r *rand.Rand, leaf bool) bool
}{
	{"none", func(*rand.Rand, bool) bool { return false }},
	{"leaves", func(r *rand.Rand, leaf bool) bool { return leaf && r.IntN(10) == 0 }},
	{"tenth", func(r *rand.Rand, _ bool) bool { return r.IntN(10) == 0 }},
	{"half", func(r *rand.Rand, _ bool) bool { return r.IntN(2) == 0 }},
}

// observed chooses variables of m.
func observed(m *model.Model, choose func(r *rand.Rand, leaf bool) bool) []bool {
	r := rand.New(rand.NewPCG(7, 7))
	parent, chosen := make([]bool, len(m.Vars)), make([]bool, len(m.Vars))
	for _, f := range m.Factors {
		for i, v := range f.Scope {
			parent[v] = parent[v] || i != f.Child
		}
	}
	for v := range chosen {
		chosen[v] = choose(r, !parent[v])
	}
	return chosen
}

func readNetwork(t testing.TB, name string) *model.Model {
	t.Helper()
	m, list := format.Read(compiler.Formats, filepath.Join(irtest.Shared(t), "data/bif", name+".bif.gz"), "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestProducts counts the products of all marginals that remain if variables are observed, each at
// one state, by the loops of nest, which are narrowed exactly except for the axes of tiles.
// Observing half of the variables must save at least two thirds of the work. Tiles, which do four
// products at a time, keep more of insurance, since its axes have only two to five states: there,
// half of the products must be saved.
func TestProducts(t *testing.T) {
	for _, name := range networks {
		r, err := compiler.Compile(context.Background(), readNetwork(t, name), compiler.Options{Queries: []string{"marginals"}})
		if err != nil {
			t.Fatal(err)
		}
		var counts []int
		for _, kind := range kindsOfEvidence {
			counts = append(counts, products(r.Program, observed(r.Model, kind.observed)))
		}
		t.Logf("%s: %d products, %d with a tenth of the leaves, %d with a tenth of the variables, %d with half", name, counts[0], counts[1], counts[2], counts[3])
		most := counts[0] / 3
		if name == "insurance" {
			most = counts[0] / 2
		}
		if counts[1] > counts[0] || counts[3] > most {
			t.Errorf("%s: %d products; want no more with leaves, and %d with half of the variables", name, counts, most)
		}
	}
}

func products(p *ir.Program, observed []bool) (n int) {
	ranges := ir.RangesOf(p, func(_ int, c *ir.Contract, may []bool) []bool { return nest.Backend.Narrows(p, c, may) })
	for _, b := range p.Entry("marginals").Blocks {
		for _, step := range p.Blocks[b].Steps {
			if c, ok := step.(*ir.Contract); ok {
				visits, exact := c.Entries(), ranges.Exact(c)
				for i, a := range c.Axes {
					if observed[a.Var] && exact != nil && exact[i] {
						visits /= a.Size
					}
				}
				n += visits
			}
		}
	}
	return n
}

// BenchmarkEvidence times all marginals by nest without observations, with a tenth of the leaves or
// of all variables observed, and with half of them observed. Read ns/query as for BenchmarkQueries;
// use -benchtime=1x.
func BenchmarkEvidence(b *testing.B) {
	for _, name := range networks {
		m := readNetwork(b, name)
		h := newHarness(b)
		h.add(m, compiler.Options{Queries: append(slices.Clone(benchQueries), "sample")}, codegen.Options{Backend: "nest", Runtime: codegen.RuntimeImport, Types: codegen.TypesShared})
		h.build()
		for _, kind := range kindsOfEvidence {
			b.Run(name+"/"+kind.name, func(b *testing.B) {
				q := question{Hard: likely(h, m, observed(m, kind.observed)), Bench: "marginals"}
				var r reply
				for b.Loop() {
					r = h.ask(q)
				}
				b.ReportMetric(r.NS, "ns/query")
				b.ReportMetric(r.Allocs, "allocs/query")
			})
		}
	}
}

// likely returns the states of the chosen variables in a most probable completion, so that they are
// possible together. States count from 1.
func likely(h *harness, m *model.Model, chosen []bool) []int {
	hard := make([]int, len(m.Vars))
	best := h.ask(question{Hard: hard}).Best
	for v, ok := range chosen {
		if ok {
			hard[v] = best[v] + 1
		}
	}
	return hard
}
