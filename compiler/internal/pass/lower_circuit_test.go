package pass_test

import (
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/internal/pass"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// randomCircuit returns a circuit of about n random operations over the likelihoods of two
// variables of three states, with an answer for each variable.
func randomCircuit(r *rand.Rand, n int) *ir.Circuit {
	m := &model.Model{Name: "random"}
	c := &ir.Circuit{Model: m, Nodes: circuit.New()}
	var nodes []circuit.Node
	for range 2 {
		v := m.NewVar(string(rune('a'+len(m.Vars))), "0", "1", "2")
		for s := range 3 {
			c.Leaves = append(c.Leaves, ir.Leaf{Kind: ir.LeafLikelihood, Var: v.ID, Index: s})
			nodes = append(nodes, c.Nodes.Input(int32(len(c.Leaves)-1)))
		}
	}
	for range 3 {
		nodes = append(nodes, c.Nodes.Const(.1+r.Float64()))
	}
	recent := func() circuit.Node { return nodes[len(nodes)-1-min(len(nodes)-1, int(r.ExpFloat64()*20))] }
	third := c.Nodes.Const(1. / 3)
	for range n {
		x, y, z := recent(), recent(), recent()
		mean := c.Nodes.Sum(c.Nodes.Prod(third, x), c.Nodes.Sum(c.Nodes.Prod(third, y), c.Nodes.Prod(third, z))) // stays within the range of x, y and z
		if r.IntN(3) == 0 {
			mean = c.Nodes.Sum(c.Nodes.Prod(mean, third), c.Nodes.Const(.5))
		}
		nodes = append(nodes, mean)
	}
	e := ir.CircuitEntry{Query: &ir.Query{Kind: ir.Marginals, Name: "marginals"}, Root: nodes[len(nodes)-1]}
	for v := range 2 {
		e.Outs = append(e.Outs, ir.CircuitOut{Var: model.VarID(v), Nodes: []circuit.Node{recent(), recent(), c.Nodes.Const(.25)}})
	}
	c.Entries = []ir.CircuitEntry{e}
	return c
}

// A lowered circuit has the values of its nodes, before and after layout.
func TestLowerCircuit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 60 {
		c := randomCircuit(r, 1<<(round%13))
		p := checkLowered(t, c)
		if want := c.Size().Ops / 1100; len(p.Blocks) < want {
			t.Errorf("round %d: %d blocks for %d operations", round, len(p.Blocks), c.Size().Ops)
		}
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
	}
}

// The nodes of a large circuit are ordered, so that groups of four neighbours have one number of
// terms and set consecutive elements. Without an order, .4 % of these nodes are in groups.
func TestLowerLargeCircuit(t *testing.T) {
	c := randomCircuit(rand.New(rand.NewPCG(5, 6)), 30_000)
	if n := c.Size().Ops; n < 50_000 {
		t.Fatalf("%d operations", n)
	}
	p := checkLowered(t, c)
	nodes, grouped := 0, 0
	for _, b := range p.Blocks {
		for _, step := range b.Steps {
			s, ok := step.(*ir.Sums)
			if !ok {
				continue
			}
			nodes += len(s.Set)
			for i := 0; i+4 <= len(s.Set); i++ {
				n := s.First[i+1] - s.First[i]
				if s.Set[i+3] == s.Set[i]+3 && s.First[i+4]-s.First[i+3] == n && s.First[i+4]-s.First[i] == 4*n {
					grouped += 4
					i += 3
				}
			}
		}
	}
	if 5*grouped < nodes {
		t.Errorf("%d of %d nodes are in groups", grouped, nodes)
	}
}

// checkLowered lowers c and compares the values of its root and answers with those of its nodes.
func checkLowered(t *testing.T, c *ir.Circuit) *ir.Program {
	t.Helper()
	likelihood := []float64{.5, 1, .25, 1, .125, .75}
	values := c.Nodes.Eval(func(leaf int32) float64 { return likelihood[leaf] })
	p := pass.Lower(&ir.Plan{Schedule: &ir.Schedule{Model: c.Model}, Circuit: c})
	if err := p.Verify(); err != nil {
		t.Fatal(err)
	}
	for _, laidOut := range []bool{false, true} {
		if laidOut {
			pass.ProgramLayout(p)
			if err := p.Verify(); err != nil {
				t.Fatal(err)
			}
		}
		machine := eval.New(p, c.Model)
		for v := range 2 {
			if err := machine.Likelihood(model.VarID(v), likelihood[3*v:3*v+3]); err != nil {
				t.Fatal(err)
			}
		}
		if err := machine.Run(&p.Entries[0]); err != nil {
			t.Fatal(err)
		}
		e := &c.Entries[0]
		irtest.CloseTo(t, machine.Span(p.Entries[0].Root)[0], values[e.Root], 1e-12)
		for i, o := range e.Outs {
			sum, want := 0.0, []float64{}
			for _, n := range o.Nodes {
				sum += values[n]
			}
			for _, n := range o.Nodes {
				want = append(want, values[n]/sum)
			}
			irtest.Close(t, machine.Posterior(i), want, 1e-12)
		}
		if t.Failed() {
			t.Errorf("laid out %v", laidOut)
		}
	}
	return p
}
