package ir

import "fmt"

// TreeMeanOp sets each element of Out, a table over one variable, to the expectation of the
// corresponding numbers of a tree's leaves, where each test takes a branch with the probability of
// its state. Its step is a [Sums].
type TreeMeanOp struct {
	Out    TableID
	Leaves TableID   // for each leaf as many numbers as Out has
	Tests  []TableID // by axis of the tree: the distribution of the tested variable; NoTable if nothing tests it
	Tree   *MeanTree
}

// MeanTree is a tree. Its first node is the root. No path tests an axis twice.
type MeanTree struct{ Nodes []MeanNode }

// MeanNode is a test if Leaf is negative. Otherwise it is a leaf with numbers from Leaf on.
type MeanNode struct {
	Leaf int
	Axis int
	Next []int32 // by state
}

// Tables implements [Op].
func (op *TreeMeanOp) Tables(visit TableVisitor) {
	visit.all(op.Tests, Read)
	visit.one(op.Leaves, Read)
	visit.one(op.Out, Write)
}

// States implements [Op].
func (*TreeMeanOp) States(*Schedule, StateVisitor) {}

// Products implements [Op].
func (op *TreeMeanOp) Products(joint JointStates, _ *OpBlock) float64 {
	n, size := 0.0, joint(nil, op.Out)
	for _, node := range op.Tree.Nodes {
		n += float64(len(node.Next)) * size
	}
	return n
}

// Text implements [Op].
func (op *TreeMeanOp) Text(s *Schedule) string {
	return fmt.Sprintf("%s = mean of %s by a tree of %d nodes, by %s", s.tables(op.Out), s.tables(op.Leaves), len(op.Tree.Nodes),
		s.tables(presentTables(op.Tests...)...))
}

// verify checks that nodes and numbers exist.
func (op *TreeMeanOp) verify(v *scheduleVerifier, _ *OpBlock) {
	if !v.writable(op.Out) || !v.tables(append(presentTables(op.Tests...), op.Leaves)...) {
		return
	}
	card, leaves := v.s.Size(op.Out), v.s.Size(op.Leaves)
	for i, n := range op.Tree.Nodes {
		if n.Leaf >= 0 {
			if n.Leaf+card > leaves {
				v.errorf("leaf %d of a tree has numbers from %d of %d on", i, n.Leaf, leaves)
			}
			continue
		}
		if n.Axis < 0 || n.Axis >= len(op.Tests) || op.Tests[n.Axis] == NoTable || len(n.Next) != v.s.Size(op.Tests[n.Axis]) {
			v.errorf("node %d of a tree tests axis %d of %d, with %d ways on", i, n.Axis, len(op.Tests), len(n.Next))
			continue
		}
		for _, next := range n.Next {
			if next <= 0 || int(next) >= len(op.Tree.Nodes) {
				v.errorf("node %d of a tree leads to node %d of %d", i, next, len(op.Tree.Nodes))
			}
		}
	}
}

// Lower returns the sums that compute an expectation along a tree, from the leaves up. The number
// of a test for a state of Out is the sum, over the states of the tested variable, of their
// probabilities times the numbers of the nodes of their branches.
func (op *TreeMeanOp) Lower(l *Lowering) Step {
	s := &Sums{First: []int32{0}}
	first, total := map[SpanID]int32{}, int32(0)
	number := func(id SpanID) {
		first[id] = total
		total += int32(l.Program.Spans[id].Len)
	}
	for _, t := range append([]TableID{op.Leaves}, presentTables(op.Tests...)...) { // the tables are all different
		s.In = append(s.In, l.Span(t))
		number(l.Span(t))
	}
	out := l.Span(op.Out)
	card := int32(l.Program.Spans[out].Len)
	s.Out = append(s.Out, out)
	number(out)
	order := op.Tree.postorder()
	if inner := len(order) - 1; inner > 0 {
		work := l.AddSpan(Span{Name: "nodes of the tree of " + l.Program.Spans[out].Name, Role: RoleTemp, Len: inner * int(card), Var: -1})
		s.Out = append(s.Out, work)
		number(work)
	}
	at := make([]int32, len(op.Tree.Nodes)) // by node: its element for the first state of Out
	for i, n := range op.Tree.Nodes {
		at[i] = first[s.In[0]] + int32(n.Leaf)
	}
	for i, node := range order {
		n := &op.Tree.Nodes[node]
		at[node] = first[out]
		if i < len(order)-1 {
			at[node] = first[s.Out[1]] + int32(i)*card
		}
		test := first[l.Span(op.Tests[n.Axis])]
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

// postorder returns the tests of a tree, each after those that it leads to. The root is the last.
func (t *MeanTree) postorder() (order []int32) {
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
