package meanfield

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// walked reports whether the mean of a CPD is worked out along its tree, node by node: those of
// dependency networks, where no other variable looks at it, whose paths test no variable twice, so
// that the tests of a path are independent.
func walked(m *model.Model, f *model.Factor) bool {
	d, ok := f.Dist.(*model.Tree)
	if !ok || m.Kind != model.Dependency || d.Nodes[0].Leaf != nil {
		return false
	}
	asked := make([]bool, len(f.Scope))
	return testsOnce(d, 0, asked, new(int))
}

// mostSteps bounds the paths that are looked at: trees that share nodes may have very many.
const mostSteps = 1 << 16

func testsOnce(d *model.Tree, at int32, asked []bool, steps *int) bool {
	n := &d.Nodes[at]
	if *steps++; n.Leaf != nil || *steps > mostSteps {
		return n.Leaf != nil
	}
	if asked[n.Axis] {
		return false
	}
	asked[n.Axis] = true
	for s, next := range n.Next {
		if s > 0 && next == n.Next[s-1] {
			continue
		}
		if !testsOnce(d, next, asked, steps) {
			return false
		}
	}
	asked[n.Axis] = false
	return true
}

// leaves are the numbers of a tree's leaves that updates average, and the tree over them.
func (b *builder) leaves(e *energy) {
	d := e.factor.Dist.(*model.Tree)
	e.tree = &ir.MeanTree{}
	var numbers []float64
	for _, n := range d.Nodes {
		x := ir.MeanNode{Axis: n.Axis, Leaf: -1}
		if n.Leaf != nil {
			x.Leaf = len(numbers)
			numbers = append(numbers, n.Leaf...)
		} else {
			x.Next = slices.Clone(n.Next)
		}
		e.tree.Nodes = append(e.tree.Nodes, x)
	}
	if !b.arithmetic {
		numbers = energiesOf(numbers)
	}
	e.table = b.Leaves("leaves of the "+b.Model.FactorName(e.factor), numbers)
}

// energiesOf is how much less than the largest the logarithms of numbers are.
func energiesOf(numbers []float64) []float64 {
	largest := slices.Max(numbers)
	out := make([]float64, len(numbers))
	for i, x := range numbers {
		out[i] = zeroEnergy
		if x > 0 {
			out[i] = min(zeroEnergy, math.Log(largest)-math.Log(x))
		}
	}
	return out
}

// walk is the mean of a tree's leaves, by the state of its child.
func (b *builder) walk(e *energy) (op *ir.TreeMeanOp) {
	f := e.factor
	op = &ir.TreeMeanOp{Out: b.Temp(b.Arrow(b.Model.FactorName(f), b.Model.Vars[f.ChildVar()].Name), f.ChildVar()), Leaves: e.table, Tree: e.tree}
	for i, v := range f.Scope {
		test := ir.NoTable
		if i != f.Child {
			test = b.q[v]
		}
		op.Tests = append(op.Tests, test)
	}
	return op
}
