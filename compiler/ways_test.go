package compiler_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/circuit"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// randomTree returns a Bayesian network of n variables of three states. Variable i has the parent
// (i-1)/branch. The first state of a child is impossible under the first of its parent.
func randomTree(seed uint64, n, branch int) *model.Model {
	r := rand.New(rand.NewPCG(seed, 1))
	m := &model.Model{Name: "tree", Kind: model.Bayes}
	for i := range n {
		v := m.NewVar("x"+strconv.Itoa(i), "0", "1", "2").ID
		scope, values := []model.VarID{v}, []float64{.25, .25, .5}
		if i > 0 {
			scope = []model.VarID{model.VarID((i - 1) / branch), v}
			values = nil
			for row := range 3 {
				p := []float64{1 + r.Float64(), 1 + r.Float64(), 1 + r.Float64()}
				if row == 0 {
					p[0] = 0
				}
				sum := p[0] + p[1] + p[2]
				values = append(values, p[0]/sum, p[1]/sum, p[2]/sum)
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
			m := randomTree(1, tt.n, tt.branch)
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
