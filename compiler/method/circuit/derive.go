package circuit

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// derive adds the derivatives of root by the inputs wanted. The derivative by a rescaled value
// becomes, after rescaling too, the derivative by the node that was rescaled. So the posteriors of
// a variable have one common factor, which normalization removes. If the power of two by which a
// group was multiplied is a node itself, the derivative is multiplied by that node instead.
func (e *eliminator) derive(root circuit.Node, wanted []circuit.Node) []circuit.Node {
	if len(wanted) == 0 {
		return nil
	}
	first := e.firstInputs()
	return e.out.Nodes.Derive(root, wanted, func(n circuit.Node, d []circuit.Node) {
		if g, ok := first[n]; ok { // the derivatives by all inputs of the group are complete
			e.deriveGroup(g, n, d)
		}
	})
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
