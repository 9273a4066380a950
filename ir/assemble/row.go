package assemble

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/price"
)

// row writes the weights of the joint states of some variables, as runtime/tape_chain.go has them:
// the header; place and size of each variable that is drawn; places of the states of the others;
// the tables; the trees.
func (a *Assembler) row(r *ir.Row) {
	drawn, _ := r.Drawn()
	a.words(drawn, len(r.Axes)-drawn, len(r.In), len(r.Trees))
	for _, axis := range r.Axes[:drawn] {
		a.words(a.state(axis.Var), axis.Size)
	}
	for _, axis := range r.Axes[drawn:] {
		a.words(a.state(axis.Var))
	}
	for _, v := range r.In {
		a.operand(v.Span)
		a.words(v.Stride...)
	}
	for i := range r.Trees {
		a.tree(&r.Trees[i])
	}
}

// tree writes a decision tree: memory and offset of its leaves, the place of the child's state or
// -1, the child's stride, the number of words of the nodes, and the nodes. A node is the place of
// the state that it tests, and for each state the word of the next node, or -1 less the offset of a
// leaf.
func (a *Assembler) tree(t *ir.TreeView) {
	first := make([]int, len(t.Nodes)+1) // the word where each node begins
	for i, n := range t.Nodes {
		first[i+1] = first[i] + 1 + len(n.Next)
	}
	child, stride := -1, 1
	if t.Child >= 0 {
		child = a.state(t.Child)
	}
	a.operand(t.Leaves)
	a.words(child, stride, first[len(t.Nodes)])
	for _, n := range t.Nodes {
		a.words(a.state(n.Var))
		for _, next := range n.Next {
			if next >= 0 {
				a.words(first[next])
			} else {
				a.words(int(next))
			}
		}
	}
}

// rowNS returns the price of the weights of a row and of a draw, in nanoseconds.
func rowNS(r *ir.Row) float64 {
	_, states := r.Drawn()
	ns := price.Step.Draw + float64(price.Step.Multiply*float64(states*(1+len(r.In))))
	for _, t := range r.Trees {
		ns += float64(price.Step.Test * float64(states*(1+len(t.Nodes)/2)))
	}
	return ns
}
