package circuit

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// derive adds the derivatives of root by the inputs wanted. The derivative by a node is the sum,
// over its users, of the derivative by the user times the other operand. The derivative by a
// rescaled value becomes, after rescaling too, the derivative by the node that was rescaled. So the
// posteriors of a variable have one common factor, which normalization removes. If the power of two
// by which a group was multiplied is a node itself, the derivative is multiplied by that node
// instead.
//
// Source: Darwiche 2003, section 5.
func (e *eliminator) derive(root circuit.Node, wanted []circuit.Node) []circuit.Node {
	if len(wanted) == 0 {
		return nil
	}
	c := e.out.Nodes
	d := make([]circuit.Node, root+1) // circuit.Zero if there is no term yet
	d[root] = circuit.One
	first := e.firstInputs()
	for n := root; n > circuit.One; n-- {
		at := d[n]
		switch c.Op(n) {
		case circuit.Sum:
			a, b := c.Args(n)
			d[a], d[b] = c.Sum(d[a], at), c.Sum(d[b], at)
		case circuit.Prod:
			a, b := c.Args(n)
			d[a] = c.Sum(d[a], c.Prod(at, b))
			d[b] = c.Sum(d[b], c.Prod(at, a))
		case circuit.Input:
			if g, ok := first[n]; ok { // the derivatives by all inputs of the group are complete
				e.deriveGroup(g, n, d)
			}
		}
	}
	out := make([]circuit.Node, len(wanted))
	for i, n := range wanted {
		if n <= root {
			out[i] = d[n]
		}
	}
	return out
}

// firstInputs maps the first input of each group to the group.
func (e *eliminator) firstInputs() map[circuit.Node]int {
	first := map[circuit.Node]int{}
	for n := range e.out.Nodes.Len() {
		if c := e.out.Nodes; c.Op(circuit.Node(n)) == circuit.Input {
			if l := e.out.Leaves[c.Leaf(circuit.Node(n))]; l.Kind == ir.LeafScaled && l.Index == 0 {
				first[circuit.Node(n)] = l.Table
			}
		}
	}
	return first
}

// deriveGroup adds the derivatives by the inputs of group g, which begin at first, to the
// derivatives by its nodes.
func (e *eliminator) deriveGroup(g int, first circuit.Node, d []circuit.Node) {
	nodes := e.out.Scaled[g].Nodes
	if f, ok := e.factor[g]; ok {
		for i, n := range nodes {
			if x := int(first) + i; x < len(d) {
				d[n] = e.out.Nodes.Sum(d[n], e.out.Nodes.Prod(f, d[x]))
			}
		}
		return
	}
	by := make([]circuit.Node, len(nodes))
	none := true
	for i := range nodes {
		if int(first)+i < len(d) {
			by[i] = d[int(first)+i]
		}
		none = none && by[i] == circuit.Zero
	}
	if none {
		return
	}
	scaled := e.group(by, fmt.Sprintf("derivative by message %d, rescaled", g+1), interval{-rangeBits, 1})
	for i, n := range nodes {
		d[n] = e.out.Nodes.Sum(d[n], scaled[i])
	}
}
