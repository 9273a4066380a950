package pass

import "github.com/pgmc-go/pgmc/ir"

// treeMean is the sums that work out a mean along a tree, from the leaves up: the number of a test for a state of Out is the sum, over the states that
// it may find, of their probabilities times the numbers of where they lead.
func (l *lowering) treeMean(op *ir.TreeMeanOp) ir.Step {
	s := &ir.Sums{First: []int32{0}}
	first, total := map[ir.SpanID]int32{}, int32(0)
	number := func(id ir.SpanID) {
		first[id] = total
		total += int32(l.p.Spans[id].Len)
	}
	for _, t := range append([]ir.TableID{op.Leaves}, op.Tests...) {
		if t != ir.NoTable { // tables are all different
			s.In = append(s.In, l.of(t))
			number(l.of(t))
		}
	}
	out := l.of(op.Out)
	card := int32(l.p.Spans[out].Len)
	s.Out = append(s.Out, out)
	number(out)
	order := postorder(op.Tree)
	if inner := len(order) - 1; inner > 0 {
		work := l.addSpan(ir.Span{Name: "nodes of the tree of " + l.p.Spans[out].Name, Role: ir.RoleTemp, Len: inner * int(card), Var: -1})
		s.Out = append(s.Out, work)
		number(work)
	}
	at := make([]int32, len(op.Tree.Nodes)) // the element of a node for the first state of Out
	for i, n := range op.Tree.Nodes {
		at[i] = first[s.In[0]] + int32(n.Leaf)
	}
	for i, node := range order {
		n := &op.Tree.Nodes[node]
		at[node] = first[out]
		if i < len(order)-1 {
			at[node] = first[s.Out[1]] + int32(i)*card
		}
		test := first[l.of(op.Tests[n.Axis])]
		for k := range card {
			s.Set = append(s.Set, at[node]+k)
			for state, next := range n.Next {
				s.Terms = append(s.Terms, [2]int32{test + int32(state), at[next] + k})
			}
			s.First = append(s.First, int32(len(s.Terms)))
		}
	}
	return s
}

// postorder lists the tests of a tree, each behind those that it leads to; the root is the last.
func postorder(t *ir.MeanTree) (order []int32) {
	seen := make([]bool, len(t.Nodes))
	var visit func(at int32)
	visit = func(at int32) {
		if n := &t.Nodes[at]; n.Leaf < 0 && !seen[at] {
			seen[at] = true
			for _, next := range n.Next {
				visit(next)
			}
			order = append(order, at)
		}
	}
	visit(0)
	return order
}
