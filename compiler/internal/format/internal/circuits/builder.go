package circuits

import (
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Ref is a node of a circuit under construction: an index of one of the Builder's nodes or, if
// negative, a leaf.
type Ref int32

// leaf is the indicator of a state of a variable.
type leaf struct {
	v     int
	state int32
}

// Builder collects the nodes of a circuit.
type Builder struct {
	Cards []int // numbers of states, if a list at the head of the file declares them

	nodes  []model.CircuitNode // Args are Refs
	pos    []diag.Pos
	leaves []leaf
	cards  []int      // for each leaf, the least number of states of its variable
	at     []diag.Pos // where each leaf first occurs
	refs   map[leaf]Ref
}

// Indicator returns the leaf for a state, counted from 0, of a variable with at least card states.
func (b *Builder) Indicator(pos diag.Pos, v int, state int32, card int) Ref {
	l := leaf{v, state}
	if ref, ok := b.refs[l]; ok {
		b.cards[-ref-1] = max(b.cards[-ref-1], card)
		return ref
	}
	if b.refs == nil {
		b.refs = map[leaf]Ref{}
	}
	b.leaves = append(b.leaves, l)
	b.cards = append(b.cards, card)
	b.at = append(b.at, pos)
	ref := Ref(-len(b.leaves))
	b.refs[l] = ref
	return ref
}

// Sum adds a sum.
func (b *Builder) Sum(pos diag.Pos, args []Ref) Ref { return b.inner(pos, model.CircuitSum, args) }

// Product adds a product. The product of one operand is that operand.
func (b *Builder) Product(pos diag.Pos, args []Ref) Ref {
	if len(args) == 1 {
		return args[0]
	}
	return b.inner(pos, model.CircuitProduct, args)
}

// Weighted returns the product of a weight and nodes.
func (b *Builder) Weighted(pos diag.Pos, weight float64, args ...Ref) Ref {
	if weight != 1 {
		w := b.add(pos, model.CircuitNode{Op: model.CircuitNumber, Value: weight})
		args = append([]Ref{w}, args...)
	}
	return b.Product(pos, args)
}

func (b *Builder) inner(pos diag.Pos, op model.CircuitOp, args []Ref) Ref {
	n := model.CircuitNode{Op: op, Args: make([]int32, len(args))}
	for i, a := range args {
		n.Args[i] = int32(a)
	}
	return b.add(pos, n)
}

func (b *Builder) add(pos diag.Pos, n model.CircuitNode) Ref {
	b.nodes = append(b.nodes, n)
	b.pos = append(b.pos, pos)
	return Ref(len(b.nodes) - 1)
}

// Finish makes m a Markov network with the circuit of root as its only factor, or reports to r why
// it cannot. Variables are called x0, x1, ..., their states 0, 1, ... Without a list of variables,
// the leaves below the root determine how many there are.
func (b *Builder) Finish(r *numbers.Reader, m *model.Model, root Ref) {
	nodes, leaves := b.used(root)
	for i, n := range b.nodes {
		if n.Op != model.CircuitNumber && (i >= len(nodes) || !nodes[i]) {
			r.Warnf(b.pos[i], "the root, which is the last node, does not need this one: is the file complete?")
			break
		}
	}
	if b.Cards == nil && !b.count(r, leaves) {
		return
	}
	var states numbers.States
	first := make([]int32, len(b.Cards)) // the indicator of state 0
	d := &model.Circuit{}
	f := &model.Factor{Child: -1, Dist: d, Pos: b.posOf(root)}
	size := len(nodes) + 1 // upper bound, for a single allocation
	for _, card := range b.Cards {
		size += card
	}
	d.Nodes, f.RowPos = make([]model.CircuitNode, 0, size), make([]diag.Pos, 0, size)
	for v, card := range b.Cards {
		first[v] = int32(len(d.Nodes))
		f.Scope = append(f.Scope, m.NewVar(fmt.Sprint("x", v), states.Of(card)...).ID)
		for s := range card {
			d.Nodes = append(d.Nodes, model.CircuitNode{Op: model.CircuitIndicator, Axis: v, State: int32(s)})
			f.RowPos = append(f.RowPos, f.Pos)
		}
	}
	place := make([]int32, len(b.nodes)) // new index of each node in use
	find := func(ref Ref) int32 {
		if ref < 0 {
			l := b.leaves[-ref-1]
			return first[l.v] + l.state
		}
		return place[ref]
	}
	for i, wanted := range nodes {
		if !wanted {
			continue
		}
		n := b.nodes[i]
		for k, a := range n.Args {
			n.Args[k] = find(Ref(a))
		}
		place[i] = int32(len(d.Nodes))
		d.Nodes = append(d.Nodes, n)
		f.RowPos = append(f.RowPos, b.pos[i])
	}
	if root < 0 { // the root must be the last node
		d.Nodes = append(d.Nodes, model.CircuitNode{Op: model.CircuitProduct, Args: []int32{find(root)}})
		f.RowPos = append(f.RowPos, f.Pos)
	}
	m.Kind, m.Factors = model.Markov, []*model.Factor{f}
}

// used marks the nodes up to the root and the leaves that the root reaches.
func (b *Builder) used(root Ref) (nodes, leaves []bool) {
	nodes, leaves = make([]bool, max(root+1, 0)), make([]bool, len(b.leaves))
	mark := func(ref Ref) {
		if ref < 0 {
			leaves[-ref-1] = true
		} else {
			nodes[ref] = true
		}
	}
	mark(root)
	for i := len(nodes) - 1; i >= 0; i-- {
		if nodes[i] {
			for _, a := range b.nodes[i].Args {
				mark(Ref(a))
			}
		}
	}
	return nodes, leaves
}

// nodesPerState is the cost of an undeclared state in a budget of declared ones: its name and an
// indicator, which a state gets even if no line has it.
const nodesPerState = 2

// count derives the variables and their numbers of states from the leaves. Messages number
// variables from 1, as files without a list do.
func (b *Builder) count(r *numbers.Reader, used []bool) bool {
	last, lastAt := -1, diag.Pos{}
	for i, l := range b.leaves {
		if used[i] && l.v > last {
			last, lastAt = l.v, b.at[i]
		}
	}
	b.Cards = make([]int, min(last, len(b.leaves))+1) // more variables than leaves leave one out
	for i, l := range b.leaves {
		if used[i] && l.v < len(b.Cards) {
			b.Cards[l.v] = max(b.Cards[l.v], b.cards[i])
		}
	}
	budget := numbers.NewBudget(r.Size())
	for v, card := range b.Cards {
		switch {
		case card == 0:
			r.Errorf(lastAt, "found variable %d, but no node below the root has variable %d; want all from 1 on", last+1, v+1)
			return false
		case !budget.Take(nodesPerState * card):
			r.Errorf(lastAt, "the variables up to %d have too many states for a file of %d bytes", v+1, r.Size())
			return false
		}
	}
	return true
}

// posOf returns the position of ref.
func (b *Builder) posOf(ref Ref) diag.Pos {
	if ref < 0 {
		return b.at[-ref-1]
	}
	return b.pos[ref]
}
