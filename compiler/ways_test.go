package compiler_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/internal/trial"
	"github.com/pgmc-go/pgmc/compiler/method/circuit"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// randomTree returns a Bayesian network of n variables. Variable i has the parent (i-1)/branch. The
// first state of a child is impossible under the first of its parent.
func randomTree(seed uint64, n, branch, states int) *model.Model {
	r := rand.New(rand.NewPCG(seed, 1))
	m := &model.Model{Name: "tree", Kind: model.Bayes}
	names, prior := make([]string, states), slices.Repeat([]float64{1 / float64(states+1)}, states)
	for s := range names {
		names[s] = strconv.Itoa(s)
	}
	prior[states-1] *= 2
	for i := range n {
		v := m.NewVar("x"+strconv.Itoa(i), names...).ID
		scope, values := []model.VarID{v}, prior
		if i > 0 {
			scope = []model.VarID{model.VarID((i - 1) / branch), v}
			values = nil
			for row := range states {
				p, sum := make([]float64, states), 0.0
				for s := range p {
					if x := 1 + r.Float64(); row > 0 || s > 0 {
						p[s] = x
					}
					sum += p[s]
				}
				for _, x := range p {
					values = append(values, x/sum)
				}
			}
		}
		m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: &model.Table{Values: values}})
	}
	return m
}

// blockOps returns the number of products and sums of the circuit in the given blocks.
func blockOps(p *ir.Program, blocks []int) (n int) {
	for _, b := range blocks {
		for _, step := range p.Blocks[b].Steps {
			if s, ok := step.(*ir.Sums); ok {
				n += len(s.Terms)
			}
		}
	}
	return n
}

// TestWays checks that a circuit computes the posterior of one variable by less than all marginals,
// and that it has the same bits. The circuits with 500 variables rescale their messages.
func TestWays(t *testing.T) {
	tests := []struct {
		name      string
		n, branch int
		share     float64 // of the work beyond P(evidence)
		rescaled  bool
	}{
		{"tree of 60", 60, 2, .35, false},
		{"tree of 200", 200, 3, .1, false},
		{"chain of 500", 500, 1, .6, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := randomTree(1, tt.n, tt.branch, 3)
			r, err := compiler.Compile(context.Background(), m, compiler.Options{Method: circuit.NewOptions(), Queries: []string{"marginals", "logprob", "posteriors"}})
			must(t, err)
			p := r.Program
			if p.Rescales(p.Entry("marginals")) != tt.rescaled {
				t.Fatalf("rescaled: %v; want %v", !tt.rescaled, tt.rescaled)
			}
			root, all, sum := blockOps(p, p.Entry("logprob").Blocks), blockOps(p, p.Entry("marginals").Blocks), 0
			for i := range p.Entries {
				if e := &p.Entries[i]; e.Query.Kind == ir.Posterior {
					sum += blockOps(p, e.Blocks)
				}
			}
			if got := (float64(sum)/float64(tt.n) - float64(root)) / float64(all-root); got > tt.share {
				t.Errorf("a posterior takes %.2f of the operations beyond P(evidence); want at most %v", got, tt.share)
			}
			checkSingles(t, r)
		})
	}
}

// TestWaysOfTables checks the same for clique trees that run on vectors, and that all marginals
// keep their blocks.
func TestWaysOfTables(t *testing.T) {
	m := randomTree(1, 200, 3, 3)
	opt := compiler.Options{Method: jointree.NewOptions(), Queries: []string{"marginals", "logprob", "posteriors"}}.Trial(trial.Options{Lay: 1})
	r, err := compiler.Compile(context.Background(), m, opt)
	must(t, err)
	p := r.Program
	if p.Align == 0 {
		t.Fatal("the program is not laid out for vectors")
	}
	opt.Queries = []string{"marginals", "logprob"}
	alone, err := compiler.Compile(context.Background(), m, opt)
	must(t, err)
	marginals := p.Entry("marginals").Blocks
	if got, want := productsIn(p, marginals), productsIn(alone.Program, alone.Program.Entry("marginals").Blocks); got != want {
		t.Errorf("all marginals take %d products; want %d, as without single posteriors", got, want)
	}
	sum := 0
	for i := range p.Entries {
		if e := &p.Entries[i]; e.Query.Kind == ir.Posterior {
			sum += productsIn(p, e.Blocks)
		}
	}
	root, all := productsIn(p, p.Entry("logprob").Blocks), productsIn(p, marginals)
	if got := (float64(sum)/float64(len(m.Vars)) - float64(root)) / float64(all-root); got > .3 {
		t.Errorf("a posterior takes %.2f of the products beyond P(evidence); want at most .3", got)
	}
	checkSingles(t, r)
}

// TestNarrowWays checks that evidence narrows the loops of a program in which single posteriors
// have blocks of their own, whatever other entries left in memory.
func TestNarrowWays(t *testing.T) {
	m := randomTree(2, 16, 3, 24)
	opt := compiler.Options{Method: jointree.NewOptions(), Queries: []string{"marginals", "logprob", "posteriors"}}.Trial(trial.Options{Lay: 1, Chunk: 1 << 14})
	r, err := compiler.Compile(context.Background(), m, opt)
	must(t, err)
	p := r.Program
	if !slices.ContainsFunc(p.Blocks, func(b ir.Block) bool { return b.Name == "way1" }) || !narrowable(p) {
		t.Fatal("single posteriors have no blocks of their own, or no loop may be narrowed")
	}
	checkSingles(t, r)
}

// productsIn returns the number of products of the given blocks.
func productsIn(p *ir.Program, blocks []int) (n int) {
	for _, b := range blocks {
		for _, step := range p.Blocks[b].Steps {
			n += step.Products()
		}
	}
	return n
}

// checkSingles compares single posteriors with those of all variables, bit for bit.
func checkSingles(t *testing.T, r *compiler.Result) {
	t.Helper()
	p, machine := r.Program, eval.New(r.Program, r.Model)
	for seed := range uint64(3) {
		e := irtest.EvidenceOn(seed, r.Model, .2, 20/float64(len(r.Model.Vars)*len(r.Model.Vars)))
		machine.ClearEvidence()
		for v := range r.Model.Vars {
			if s, ok := e.Hard[model.VarID(v)]; ok {
				must(t, machine.Observe(model.VarID(v), s))
			}
			if l := e.Soft[model.VarID(v)]; l != nil {
				must(t, machine.Likelihood(model.VarID(v), l))
			}
		}
		all := p.Entry("marginals")
		must(t, machine.Run(all))
		want := map[model.VarID][]float64{}
		for i, id := range all.Outs {
			want[p.Spans[id].Var] = slices.Clone(machine.Posterior(i))
		}
		for i := range p.Entries {
			entry := &p.Entries[i]
			if entry.Query.Kind != ir.Posterior {
				continue
			}
			poison(machine, p, 3)
			must(t, machine.Run(entry))
			if v := entry.Query.Targets[0]; !slices.Equal(machine.Posterior(0), want[v]) {
				t.Fatalf("evidence %d, %s: %v; marginals have %v", seed, entry.Query.Name, machine.Posterior(0), want[v])
			}
		}
	}
}
