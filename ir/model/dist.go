package model

import (
	"fmt"
	"math"
)

// Dist holds the numbers of a factor. It is sealed: Table, Deterministic, NoisyMax, Tree, Features, Circuit or LDFM. Positions
// ("axes") refer to the factor's scope. Its rows are what must sum to one in a CPD: the rows of a table in row-major
// order of the other variables; the leaves of a tree in order of nodes; the rows of a noisy-max, leak first, then by
// cause and its state. The others have none; where they have positions, those are of the features and of the nodes.
type Dist interface{ dist() }

// Table lists a value for each joint state of the scope, row-major: the last variable of the scope varies fastest.
type Table struct{ Values []float64 }

// Deterministic gives the child's state for each joint state of the other variables of the scope, row-major.
type Deterministic struct{ States []int32 }

// NoisyMax is a child whose state is the maximum of independent contributions, one a cause and a leak, in the order
// of the child's states (Díez 1993; noisy-or where all variables are binary). Cause[i] has a row of card(child)
// numbers for each state of parent i: the distribution of its contribution. Leak is one more such row; it includes
// nothing of the causes.
type NoisyMax struct {
	Leak  []float64
	Cause [][]float64
}

// Tree is a decision tree over the other variables of the scope with a distribution of the child at each leaf, or in a
// potential with its value alone.
// Node 0 is the root, and Next points only to later nodes.
type Tree struct{ Nodes []TreeNode }

// TreeNode is a leaf where Leaf is not nil, and otherwise a test of the variable at position Axis of the scope:
// state s leads to node Next[s]. A test of one state against the others shares a node among the others.
type TreeNode struct {
	Axis int
	Next []int32
	Leaf []float64
}

func (*Table) dist()         {}
func (*Deterministic) dist() {}
func (*NoisyMax) dist()      {}
func (*Tree) dist()          {}

// Value is the value of f at a joint state of all variables, indexed by VarID. The model must have passed Check.
func (m *Model) Value(f *Factor, state []int) float64 {
	switch d := f.Dist.(type) {
	case *Table:
		return d.Values[m.index(f.Scope, -1, state)]
	case *Deterministic:
		if state[f.ChildVar()] == int(d.States[m.index(f.Scope, f.Child, state)]) {
			return 1
		}
		return 0
	case *NoisyMax:
		return m.noisyMax(f, d, state)
	case *Tree:
		if f.Child < 0 {
			return d.leaf(f, state)[0]
		}
		return d.leaf(f, state)[state[f.ChildVar()]]
	case *Features:
		return m.features(f, d, state)
	case *Circuit:
		return d.value(f, state, make([]float64, len(d.Nodes)))
	case *LDFM:
		return math.Exp(m.ForestLogWeight(state, nil))
	}
	panic(fmt.Sprintf("model: unknown distribution %T", f.Dist))
}

// index is the row-major index of state in scope, leaving out position skip.
func (m *Model) index(scope []VarID, skip int, state []int) int {
	i := 0
	for pos, v := range scope {
		if pos != skip {
			i = i*m.Card(v) + state[v]
		}
	}
	return i
}

func (d *Tree) leaf(f *Factor, state []int) []float64 {
	n := &d.Nodes[0]
	for n.Leaf == nil {
		n = &d.Nodes[n.Next[state[f.Scope[n.Axis]]]]
	}
	return n.Leaf
}

// noisyMax is P(max = x) = P(max <= x) - P(max <= x-1), where P(max <= x) is the product over causes and leak
// of their distribution functions.
func (m *Model) noisyMax(f *Factor, d *NoisyMax, state []int) float64 {
	k := m.Card(f.ChildVar())
	atMost := func(x int) float64 {
		if x < 0 {
			return 0
		}
		p := cumulative(d.Leak, x)
		for i, parent := range f.Parents() {
			s := state[parent]
			p *= cumulative(d.Cause[i][s*k:(s+1)*k], x)
		}
		return p
	}
	x := state[f.ChildVar()]
	return max(0, atMost(x)-atMost(x-1)) // the difference of two roundings may fall below zero
}

// cumulative is the sum of row[0..x]; the whole row counts as one, so that the last step loses nothing to rounding.
func cumulative(row []float64, x int) float64 {
	if x == len(row)-1 {
		return 1
	}
	sum := 0.0
	for _, p := range row[:x+1] {
		sum += p
	}
	return sum
}

// Tabulate gives the values of f for all joint states of its scope, row-major; the slice is shared with the model where
// f is a table. It fails where there are more than limit values.
func (m *Model) Tabulate(f *Factor, limit int) ([]float64, error) {
	if t, ok := f.Dist.(*Table); ok {
		return t.Values, nil
	}
	n, ok := m.TableSize(f.Scope)
	if c, is := f.Dist.(*Circuit); is && n > limit/max(1, len(c.Nodes)) { // each entry costs a pass through the circuit
		ok = false
	}
	if !ok || n > limit {
		return nil, fmt.Errorf("%v: the table of the %s would have e^%.1f entries; the limit is %d",
			f.Pos, m.FactorName(f), m.LogTableSize(f.Scope), limit)
	}
	values := make([]float64, n)
	state := make([]int, len(m.Vars))
	for i := range values {
		values[i] = m.Value(f, state)
		m.Next(f.Scope, state)
	}
	return values, nil
}

// Next steps state to the next joint state of scope in row-major order and reports whether there was one; after the
// last it is back at the first.
func (m *Model) Next(scope []VarID, state []int) bool {
	for i := len(scope) - 1; i >= 0; i-- {
		v := scope[i]
		state[v]++
		if state[v] < m.Card(v) {
			return true
		}
		state[v] = 0
	}
	return false
}
