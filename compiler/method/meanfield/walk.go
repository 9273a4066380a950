package meanfield

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// walked reports whether a CPD is averaged along its tree, node by node. This requires a dependency
// network, in which no other variable's update reads the CPD, and paths that test no variable
// twice, so that the tests of a path are independent.
func walked(m *model.Model, f *model.Factor) bool {
	d, ok := f.Dist.(*model.Tree)
	if !ok || m.Kind != model.Dependency || d.Nodes[0].Leaf != nil {
		return false
	}
	tested := make([]bool, len(f.Scope))
	return testsOnce(d, 0, tested, new(int))
}

// maxSteps bounds the number of nodes visited, since trees that share nodes may have very many
// paths.
const maxSteps = 1 << 16

func testsOnce(d *model.Tree, at int32, tested []bool, steps *int) bool {
	n := &d.Nodes[at]
	if *steps++; n.Leaf != nil || *steps > maxSteps {
		return n.Leaf != nil
	}
	if tested[n.Axis] {
		return false
	}
	tested[n.Axis] = true
	for s, next := range n.Next {
		if s > 0 && next == n.Next[s-1] {
			continue
		}
		if !testsOnce(d, next, tested, steps) {
			return false
		}
	}
	tested[n.Axis] = false
	return true
}

// leaves sets the tree of e and the table of its leaves, which updates average.
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

// energiesOf returns ln of the largest number less ln of each number.
func energiesOf(numbers []float64) []float64 {
	largest := slices.Max(numbers)
	out := make([]float64, len(numbers))
	for i, x := range numbers {
		out[i] = zeroEnergy
		if x > 0 {
			out[i] = min(zeroEnergy, pgmrt.Ln(largest)-pgmrt.Ln(x))
		}
	}
	return out
}

// walk returns the operation that computes the mean of a tree's leaves for each state of its child.
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
