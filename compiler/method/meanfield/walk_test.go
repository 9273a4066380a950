package meanfield_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// randomTrees returns a dependency network of variables of two to four states whose CPDs are random
// trees. Some tests have branches that share a node, and with twice some paths test a variable
// again.
func randomTrees(r *rand.Rand, twice bool) *model.Model {
	m := &model.Model{Name: "trees", Kind: model.Dependency}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		m.NewVar(name, []string{"0", "1", "2", "3"}[:2+r.IntN(3)]...)
	}
	for v := range model.VarID(5) {
		f := &model.Factor{}
		for u := range model.VarID(5) {
			if u != v {
				f.Scope = append(f.Scope, u)
			}
		}
		f.Scope, f.Child = append(f.Scope, v), 4
		d := &model.Tree{}
		grow(r, m, f, d, map[int]bool{}, twice)
		f.Dist = d
		m.Factors = append(m.Factors, f)
	}
	return m
}

// grow adds a random tree below tests that were made, and returns its root.
func grow(r *rand.Rand, m *model.Model, f *model.Factor, d *model.Tree, tested map[int]bool, twice bool) int32 {
	at := int32(len(d.Nodes))
	d.Nodes = append(d.Nodes, model.TreeNode{})
	axis := r.IntN(f.Child)
	if tested[axis] && !twice || len(tested) > 2 || at > 0 && r.IntN(4) == 0 {
		leaf, sum := make([]float64, m.Card(f.ChildVar())), 0.0
		for k := range leaf {
			leaf[k] = .05 + r.Float64()
			sum += leaf[k]
		}
		for k := range leaf {
			leaf[k] /= sum
		}
		d.Nodes[at].Leaf = leaf
		return at
	}
	below := map[int]bool{axis: true}
	for x := range tested {
		below[x] = true
	}
	next := make([]int32, m.Card(f.Scope[axis]))
	first := grow(r, m, f, d, below, twice)
	rest := grow(r, m, f, d, below, twice)
	for s := range next {
		if next[s] = rest; s == 0 {
			next[s] = first
		}
	}
	d.Nodes[at] = model.TreeNode{Axis: axis, Next: next}
	return at
}

// tables returns the model with tables instead of trees.
func tables(m *model.Model) *model.Model {
	out := &model.Model{Name: m.Name, Kind: m.Kind, Vars: m.Vars}
	for _, f := range m.Factors {
		t, state := &model.Table{}, make([]int, len(m.Vars))
		var fill func(i int)
		fill = func(i int) {
			if i == len(f.Scope) {
				t.Values = append(t.Values, m.Value(f, state))
				return
			}
			for s := range m.Card(f.Scope[i]) {
				state[f.Scope[i]] = s
				fill(i + 1)
			}
		}
		fill(0)
		out.Factors = append(out.Factors, &model.Factor{Scope: f.Scope, Child: f.Child, Dist: t})
	}
	return out
}

// TestWalk checks that means along trees, node by node, are those of their tables, for both kinds
// of mean, also if a path tests a variable twice.
func TestWalk(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := randomTrees(r, seed%2 == 1)
		for _, options := range [][]string{{"mean=log"}, {"mean=probability"}} {
			var got [2][][]float64
			for i, x := range []*model.Model{m, tables(m)} {
				c, err := compiler.Compile(context.Background(), x, compiler.Options{Method: compiler.Named("meanfield", options...)})
				if err != nil {
					t.Fatal(err)
				}
				walks := 0
				for _, b := range c.Program.Blocks {
					for _, step := range b.Steps {
						if _, ok := step.(*ir.Sums); ok {
							walks++
						}
					}
				}
				if i == 0 && seed%2 == 0 && walks == 0 || i == 1 && walks > 0 {
					t.Errorf("seed %d, %v: %d trees are walked", seed, options, walks)
				}
				machine := eval.New(c.Program, c.Model)
				if err := machine.Observe(1, 1); err != nil {
					t.Fatal(err)
				}
				if _, err := machine.RunLoop(context.Background(), &c.Program.Entries[0], pgmrt.LoopOptions{Iterations: 4, Tolerance: -1}); err != nil {
					t.Fatal(err)
				}
				for k := range c.Program.Entries[0].Outs {
					got[i] = append(got[i], append([]float64(nil), machine.Posterior(k)...))
				}
			}
			for v := range got[0] {
				for s, p := range got[0][v] {
					if !(math.Abs(p-got[1][v][s]) <= 1e-12) {
						t.Fatalf("seed %d, %v, variable %d: %v; by tables %v", seed, options, v, got[0][v], got[1][v])
					}
				}
			}
		}
	}
}
