package model

import (
	"fmt"
	"math"
	"slices"
)

// Dependency returns the dependency network of m. The CPD of each variable is its distribution
// given its Markov blanket, computed from the factors that contain it. The CPD is a list of
// features if all these factors are lists of features without children, a tree if one of them is a
// tree, and a table otherwise. All CPDs together may have at most limit numbers. Rows for joint
// states that are impossible in m could be anything and are uniform; uniform is their number. The
// model must have passed Check.
//
// Source: Heckerman, Chickering, Meek, Rounthwaite and Kadie 2000, Dependency networks, section 2
// (consistent dependency networks).
func (m *Model) Dependency(limit int) (out *Model, uniform int, err error) {
	if m.Kind == Dependency {
		return m, 0, nil
	}
	out = &Model{Name: m.Name, Kind: Dependency, File: m.File, Vars: m.Vars}
	holding := make([][]*Factor, len(m.Vars))
	for _, f := range m.Factors {
		for _, v := range f.Scope {
			holding[v] = append(holding[v], f)
		}
	}
	left, state := limit, make([]int, len(m.Vars))
	for _, v := range m.Vars {
		b := &conditional{m: m, v: v.ID, factors: holding[v.ID], state: state, left: left}
		f, err := b.factor()
		if err != nil {
			return nil, 0, fmt.Errorf("%w; the limit is %d for all conditionals together", err, limit)
		}
		out.Factors = append(out.Factors, f)
		left, uniform = b.left, uniform+b.uniform
	}
	return out, uniform, nil
}

// PseudoLikelihood returns the Markov network with the CPDs of the dependency network m as
// potentials. Their product is the pseudo-likelihood of a joint state (Besag 1975), whose largest
// value says which joint state m finds most probable: each variable given all others. If the CPDs
// are the conditionals of one joint distribution, this need not be a mode of it. Toutanova, Klein,
// Manning and Singer 2003, Feature-rich part-of-speech tagging with a cyclic dependency network,
// maximise the same product along chains.
func (m *Model) PseudoLikelihood() *Model {
	out := *m
	out.Kind, out.Pseudo = Markov, true
	return &out
}

// conditional computes the distribution of one variable given its blanket.
type conditional struct {
	m       *Model
	v       VarID
	factors []*Factor // factors that contain v
	blanket []VarID   // ascending
	axis    map[VarID]int
	state   []int // of all variables; only those of the blanket matter; negative if unknown
	nodes   []TreeNode
	left    int // how many more numbers may be created
	uniform int // number of rows for impossible states
}

// factor returns the CPD. Its child comes last.
func (b *conditional) factor() (*Factor, error) {
	for _, f := range b.factors {
		b.blanket = append(b.blanket, f.Scope...)
	}
	slices.Sort(b.blanket)
	b.blanket = slices.DeleteFunc(slices.Compact(b.blanket), func(u VarID) bool { return u == b.v })
	b.axis = map[VarID]int{b.v: len(b.blanket)}
	for i, u := range b.blanket {
		b.axis[u] = i
	}
	out := &Factor{Scope: append(slices.Clone(b.blanket), b.v), Child: len(b.blanket), Pos: b.m.Vars[b.v].Pos}
	var err error
	switch {
	case b.logLinear():
		out.Dist = b.features()
	case slices.ContainsFunc(b.factors, func(f *Factor) bool { _, ok := f.Dist.(contextual); return ok }):
		b.setBlanket(-1)
		err = b.grow()
		out.Dist = &Tree{Nodes: b.nodes}
	default:
		b.setBlanket(0)
		out.Dist, err = b.table()
	}
	return out, err
}

func (b *conditional) setBlanket(state int) {
	for _, u := range b.blanket {
		b.state[u] = state
	}
}

// tooLarge returns the error of a conditional that exceeds the limit.
func (b *conditional) tooLarge() error {
	v := b.m.Vars[b.v]
	return fmt.Errorf("%v: the Markov blanket of %q, of size %d, has e^%.1f joint states, too many for its conditional distribution",
		v.Pos, v.Name, len(b.blanket), b.m.LogTableSize(b.blanket))
}

// logLinear reports whether all factors are potentials by features of finite weight. Their product
// is of the same kind, however large the blanket is.
func (b *conditional) logLinear() bool {
	for _, f := range b.factors {
		d, ok := f.Dist.(*Features)
		if !ok || f.Child >= 0 || slices.ContainsFunc(d.List, func(x Feature) bool { return math.IsInf(x.Weight, -1) }) {
			return false
		}
	}
	return len(b.factors) > 0
}

// features returns the features that depend on the variable. All others are equal for all of its
// states and cancel.
func (b *conditional) features() *Features {
	out := &Features{}
	for _, f := range b.factors {
		for _, x := range f.Dist.(*Features).List {
			y := Feature{Weight: x.Weight}
			looks := false
			for _, l := range x.Literals {
				u := f.Scope[l.Axis]
				looks = looks || u == b.v
				l.Axis = b.axis[u]
				y.Literals = append(y.Literals, l)
			}
			if looks {
				out.List = append(out.List, y)
			}
		}
	}
	return out
}

func (b *conditional) table() (*Table, error) {
	n, ok := b.m.TableSize(append(slices.Clone(b.blanket), b.v))
	for _, f := range b.factors {
		ok = ok && n <= mostEntries(f.Dist, b.left)
	}
	if !ok || n > b.left {
		return nil, b.tooLarge()
	}
	b.left -= n
	values := make([]float64, 0, n)
	for more := true; more; more = b.m.Next(b.blanket, b.state) {
		values = append(values, b.row()...)
	}
	return &Table{Values: values}, nil
}

// row returns the distribution for the states of the blanket that the factors depend on.
func (b *conditional) row() []float64 {
	row := slices.Repeat([]float64{1}, b.m.Card(b.v))
	was := b.state[b.v]
	for _, f := range b.factors {
		if b.uninformative(f) {
			continue
		}
		top := 0.0
		for s := range row {
			b.state[b.v] = s
			row[s] *= b.m.Value(f, b.state)
			top = max(top, row[s])
		}
		if top < 1e-100 || top > 1e100 { // far from the ends of the range, so that further factors cannot reach them
			for s := range row {
				if top > 0 {
					row[s] /= top
				}
			}
		}
	}
	b.state[b.v] = was
	sum := 0.0
	for _, x := range row {
		sum += x
	}
	if sum == 0 {
		b.uniform++
	}
	for s := range row {
		if sum > 0 {
			row[s] /= sum
		} else {
			row[s] = 1 / float64(len(row))
		}
	}
	return row
}

// grow adds the node for the known states and the nodes below it. It adds a leaf if no factor
// depends on another variable.
func (b *conditional) grow() error {
	at := len(b.nodes)
	u := b.asked()
	if u < 0 {
		if b.left -= b.m.Card(b.v); b.left < 0 {
			return b.tooLarge()
		}
		b.nodes = append(b.nodes, TreeNode{Leaf: b.row()})
		return nil
	}
	b.nodes = append(b.nodes, TreeNode{Axis: b.axis[u]})
	var next []int32
	for s := range b.m.Card(u) {
		b.state[u] = s
		next = append(next, int32(len(b.nodes)))
		if err := b.grow(); err != nil {
			return err
		}
	}
	b.state[u] = -1
	b.nodes[at].Next = next
	if first := b.nodes[next[0]].Leaf; first != nil && len(b.nodes) == at+1+len(next) &&
		!slices.ContainsFunc(b.nodes[at+1:], func(n TreeNode) bool { return !slices.Equal(n.Leaf, first) }) { // all leaves are equal
		b.nodes = append(b.nodes[:at], TreeNode{Leaf: first})
	}
	return nil
}

// asked returns a variable that some factor depends on and that has an unknown state, or -1 if
// there is none.
func (b *conditional) asked() VarID {
	was := b.state[b.v]
	defer func() { b.state[b.v] = was }()
	for _, f := range b.factors {
		for s := range b.m.Card(b.v) {
			b.state[b.v] = s
			if u := b.m.asked(f, b.state); u >= 0 && u != b.v {
				return u
			}
		}
		if c := f.ChildVar(); c >= 0 && b.state[c] < 0 && c != b.v && !b.uninformative(f) {
			return c
		}
	}
	return -1
}

// uninformative reports whether f, the CPD of another variable, has the same row in all states of
// v, so that it cancels in the conditional of v.
func (b *conditional) uninformative(f *Factor) bool {
	d, ok := f.Dist.(contextual)
	if !ok || f.ChildVar() == b.v {
		return false
	}
	was := b.state[b.v]
	defer func() { b.state[b.v] = was }()
	return d.ignores(b.m, f, b.v, b.state)
}

// asked returns a variable other than its child that f depends on and that has an unknown
// (negative) state, or -1 if there is none.
func (m *Model) asked(f *Factor, state []int) VarID {
	if d, ok := f.Dist.(contextual); ok {
		return d.asks(f, state)
	}
	for i, v := range f.Scope {
		if i != f.Child && state[v] < 0 {
			return v
		}
	}
	return -1
}
