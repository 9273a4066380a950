package ir

import (
	"fmt"
	"slices"
)

// TreeMeanOp sets Out, over one variable, to the mean of what the leaves of a tree hold for each of its states, where each test goes by its
// state's probability.
type TreeMeanOp struct {
	Out    TableID
	Leaves TableID   // as many numbers for each leaf as Out has
	Tests  []TableID // by axis of the tree: the distribution of what is tested; NoTable where nothing is
	Tree   *MeanTree
}

// MeanTree is a tree, whose first node is the root. No path tests an axis twice.
type MeanTree struct{ Nodes []MeanNode }

// MeanNode is a leaf, whose numbers begin at Leaf of the leaves, or where that is below 0, a test.
type MeanNode struct {
	Leaf int
	Axis int
	Next []int32 // by state
}

func (*TreeMeanOp) op() {}

// reads are the tables that op reads.
func (op *TreeMeanOp) reads() []TableID {
	return append(presentTables(slices.Clone(op.Tests)...), op.Leaves)
}

func (s *Schedule) treeMeanString(op *TreeMeanOp) string {
	return fmt.Sprintf("%s = mean of %s by a tree of %d nodes, by %s", s.tables([]TableID{op.Out}), s.tables([]TableID{op.Leaves}), len(op.Tree.Nodes), s.tables(presentTables(slices.Clone(op.Tests)...)))
}

// treeMean checks that nodes and numbers are there.
func (v *scheduleVerifier) treeMean(op *TreeMeanOp) {
	if !v.writable(op.Out) || !v.tables(op.reads()...) {
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
