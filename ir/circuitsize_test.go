package ir_test

import (
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// TestEntrySizes compares the sizes of entries with those of circuits that have one entry each.
func TestEntrySizes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		c := &ir.Circuit{Nodes: circuit.New()}
		var nodes []circuit.Node
		for i := range 4 {
			c.Leaves = append(c.Leaves, ir.Leaf{})
			nodes = append(nodes, c.Nodes.Input(int32(i)), c.Nodes.Const(.5/float64(1+i)))
		}
		pick := func() circuit.Node { return nodes[r.IntN(len(nodes))] }
		for range 1 + r.IntN(60) {
			switch r.IntN(9) {
			case 0: // rescaled values
				c.Scaled = append(c.Scaled, ir.Group{Nodes: []circuit.Node{pick(), pick()}})
				for i := range 2 {
					nodes = append(nodes, c.Nodes.Input(int32(len(c.Leaves))))
					c.Leaves = append(c.Leaves, ir.Leaf{Kind: ir.LeafScaled, Table: len(c.Scaled) - 1, Index: i})
				}
			case 1, 2, 3, 4:
				nodes = append(nodes, c.Nodes.Sum(pick(), pick()))
			default:
				nodes = append(nodes, c.Nodes.Prod(pick(), pick()))
			}
		}
		root := pick()
		for i := range 6 {
			e := ir.CircuitEntry{Root: root}
			if i == 4 {
				e.Root = pick()
			}
			for range min(i, 1) {
				e.Outs = append(e.Outs, ir.CircuitOut{Nodes: []circuit.Node{pick(), pick(), pick()}})
			}
			c.Entries = append(c.Entries, e)
		}
		for i, got := range c.EntrySizes() {
			one := *c
			one.Entries = c.Entries[i : i+1]
			if want := one.Size(); got != want {
				t.Fatalf("round %d, entry %d: %+v; want %+v", round, i, got, want)
			}
		}
	}
}
