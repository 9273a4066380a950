package pass

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// walks reports whether the answer to a query is a way down through the nodes.
func walks(q *ir.Query) bool { return q.Kind == ir.MPE || q.Kind == ir.Sample }

// findWalked marks the nodes that a walk may visit, so that their values are kept: the nodes above
// a likelihood that the roots of walks need, also through rescaled values.
func (k *circuitLowering) findWalked() {
	c := k.c.Nodes
	k.walked = make([]bool, c.Len())
	none := true
	for _, e := range k.c.Entries {
		if walks(e.Query) {
			k.walked[e.Root], none = true, false
		}
	}
	if none {
		return
	}
	states := k.aboveLikelihoods()
	for i := c.Len() - 1; i >= 0; i-- {
		n := circuit.Node(i)
		if !k.walked[n] {
			continue
		}
		for _, x := range k.below(n) {
			k.walked[x] = k.walked[x] || states[x]
		}
	}
}

// aboveLikelihoods marks the nodes that depend on a likelihood.
func (k *circuitLowering) aboveLikelihoods() []bool {
	out := make([]bool, k.c.Nodes.Len())
	for i := range out {
		n := circuit.Node(i)
		out[n] = k.c.Nodes.Op(n) == circuit.Input && k.c.Leaves[k.c.Nodes.Leaf(n)].Kind == ir.LeafLikelihood
		for _, x := range k.below(n) {
			out[n] = out[n] || out[x]
		}
	}
	return out
}

// below returns the operands of a node. Of a rescaled value it returns the node that the value is
// computed from. Missing operands are Zero.
func (k *circuitLowering) below(n circuit.Node) [2]circuit.Node {
	if k.c.Nodes.Op(n) >= circuit.Sum {
		a, b := k.c.Nodes.Args(n)
		return [2]circuit.Node{a, b}
	}
	x, _ := k.rescaled(n)
	return [2]circuit.Node{x}
}

// rescaled returns the node from which a rescaled input is computed.
func (k *circuitLowering) rescaled(n circuit.Node) (of circuit.Node, ok bool) {
	if k.c.Nodes.Op(n) != circuit.Input {
		return circuit.Zero, false
	}
	l := k.c.Leaves[k.c.Nodes.Leaf(n)]
	if l.Kind != ir.LeafScaled {
		return circuit.Zero, false
	}
	return k.c.Scaled[l.Table].Nodes[l.Index], true
}

// walk returns the step that goes down from a root, through the kept nodes and the rescaled values
// that it visits. Their terms are those that computed them.
func (k *circuitLowering) walk(e *ir.CircuitEntry) *ir.Walk {
	b := newSums(k)
	var terms [][2]circuit.Node
	for i, on := range k.walked {
		n := circuit.Node(i)
		if !on {
			continue
		}
		if of, ok := k.rescaled(n); ok {
			terms = k.targetTerms(terms[:0], of)
		} else if k.kept[n] {
			terms = k.terms(terms[:0], n)
		} else {
			continue
		}
		b.note(ir.SpanID(k.home[n].span))
		b.add(k.home[n], terms)
	}
	root := placeOf(k.root[e.Root], 0)
	b.note(ir.SpanID(root.span))
	b.add(root, k.targetTerms(terms[:0], e.Root))
	s := b.finish()
	w := &ir.Walk{In: s.In, Node: s.Set, First: s.First, Terms: s.Terms}
	if e.Query.Kind == ir.Sample {
		w.Mode = ir.PickDraw
	}
	w.Stack = k.AddSpan(ir.Span{Name: "nodes to come back to", Elem: ir.Int32, Role: ir.RoleTemp, Len: w.Depth(k.p), Var: -1})
	return w
}
