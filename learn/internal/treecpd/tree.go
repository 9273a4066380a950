package treecpd

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// Tree is the distribution of one variable as a decision tree with splits that can be undone: inner
// nodes keep the contents that they had as leaves.
type Tree struct {
	Target int
	Nodes  []Node // the root first; parents come before children

	scorer *leafScorer
	asked  []bool // by variable: a node tests it
}

// Node is a node of a tree.
type Node struct {
	Split   Split // the split of an inner node; Var is -1 at a leaf
	Yes, No int32 // the children for rows that have the state, and for the others
	Step    int   // number of its split in the search
	Counts  []float64
	parent  int32
	share   float64 // share of the joint states of the other variables that reach the node
	rows    []int32 // rows of a leaf that may be split
}

// Split tests whether a variable has a state.
type Split struct {
	Var, State int
	Gain       float64 // its gain in the score of its leaf, without the prior of the structure
	Each       float64 // the gain per parameter that it adds
}

// none is the split of a node that stays a leaf.
var none = Split{Var: -1}

// Found reports whether there is a split.
func (s Split) Found() bool { return s.Var >= 0 }

// Keep reports whether an inner node counts as one; otherwise it counts as a leaf.
type Keep func(n *Node) bool

// All keeps all splits.
func All(*Node) bool { return true }

// Above keeps the splits that gain more than least for each parameter. If nodes were split in that
// order, the result is the tree of a smaller kappa.
func Above(least float64) Keep {
	return func(n *Node) bool { return n.Split.Each > least }
}

// Before keeps the splits that were made before a step of the search.
func Before(step int) Keep {
	return func(n *Node) bool { return n.Step < step }
}

// Pruned keeps the splits that gain more than least for each parameter together with the best of
// those below them. Of all prunings of the trees, the result has the highest score at that kappa.
func Pruned(trees []*Tree, least float64) Keep {
	kept := map[*Node]bool{}
	for _, t := range trees {
		worth := make([]float64, len(t.Nodes)) // of the best pruning below a node, above the score of a leaf
		for i := len(t.Nodes) - 1; i >= 0; i-- {
			n := &t.Nodes[i]
			if !n.Split.Found() {
				continue
			}
			if w := n.Split.Gain - least*t.scorer.params + worth[n.Yes] + worth[n.No]; w > 0 {
				worth[i], kept[n] = w, true
			}
		}
	}
	return func(n *Node) bool { return kept[n] }
}

// Pure reports whether all rows of a leaf have one state of the target.
func (t *Tree) Pure(at int32) bool {
	n := t.Nodes[at].Counts
	return slices.Max(n) == sum(n)
}

// walk calls do for the nodes that keep leaves in the tree, parents first and yes before no.
func (t *Tree) walk(keep Keep, do func(n *Node, leaf bool)) {
	stack := []int32{0}
	for len(stack) > 0 {
		n := &t.Nodes[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		leaf := !n.Split.Found() || !keep(n)
		do(n, leaf)
		if !leaf {
			stack = append(stack, n.No, n.Yes)
		}
	}
}

// Size holds the score and the size of a tree.
type Size struct {
	Splits, Params int
	Score          float64   // sum over its leaves, without the prior of the structure
	Parents        []int     // in the order of their first test
	Gains          []float64 // by parent: the gain of the splits that test it
	Charged        float64   // number of parameters that the prior of the structure counts
}

// Penalised returns the score with the prior of the structure at some kappa.
func (s Size) Penalised(kappa float64) float64 { return s.Score - s.Charged*Least(kappa) }

// Size measures the tree.
func (t *Tree) Size(keep Keep) Size {
	var s Size
	leaves := 0
	t.walk(keep, func(n *Node, leaf bool) {
		if leaf {
			leaves++
			s.Score += t.scorer.leaf(n.Counts, n.share)
			return
		}
		s.Splits++
		s.Charged += t.scorer.params
		at := slices.Index(s.Parents, n.Split.Var)
		if at < 0 {
			at = len(s.Parents)
			s.Parents, s.Gains = append(s.Parents, n.Split.Var), append(s.Gains, 0)
		}
		s.Gains[at] += n.Split.Gain
	})
	s.Params = leaves * (t.scorer.card - 1)
	return s
}

// LogProb returns ln of the probability of the target's state in a row given the row's other
// states. ok is false if the row misses a state that is needed.
func (t *Tree) LogProb(keep Keep, row []int) (p float64, ok bool) {
	x := row[t.Target]
	n := &t.Nodes[0]
	for n.Split.Found() && keep(n) {
		switch row[n.Split.Var] {
		case data.Missing:
			return 0, false
		case n.Split.State:
			n = &t.Nodes[n.Yes]
		default:
			n = &t.Nodes[n.No]
		}
	}
	if x == data.Missing {
		return 0, false
	}
	return t.scorer.log(n.Counts, n.share, x), true
}

// Factor returns the tree as a CPD over its parents, in the order of their first test, and the
// target. The variables of the model are the data's, in that order.
func (t *Tree) Factor(keep Keep, vars []data.Var) *model.Factor {
	parents := t.Size(keep).Parents
	f := &model.Factor{Child: len(parents)}
	for _, p := range parents {
		f.Scope = append(f.Scope, model.VarID(p))
	}
	f.Scope = append(f.Scope, model.VarID(t.Target))
	d := &model.Tree{}
	place := map[*Node]int32{}
	t.walk(keep, func(n *Node, leaf bool) {
		place[n] = int32(len(d.Nodes))
		if leaf {
			d.Nodes = append(d.Nodes, model.TreeNode{Leaf: t.scorer.estimate(n.Counts, n.share)})
			return
		}
		d.Nodes = append(d.Nodes, model.TreeNode{Axis: slices.Index(parents, n.Split.Var)})
	})
	t.walk(keep, func(n *Node, leaf bool) {
		if leaf {
			return
		}
		next := make([]int32, len(vars[n.Split.Var].States))
		for s := range next {
			next[s] = place[&t.Nodes[n.No]]
		}
		next[n.Split.State] = place[&t.Nodes[n.Yes]]
		d.Nodes[place[n]].Next = next
	})
	f.Dist = d
	return f
}
