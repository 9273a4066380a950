package model

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Tree is a decision tree over the other variables of the scope. Each leaf holds a distribution of
// the child or, in a potential, one value. Node 0 is the root, and Next leads only to later nodes.
type Tree struct{ Nodes []TreeNode }

// TreeNode is a leaf if Leaf is not nil, and otherwise a test of the variable at position Axis of
// the scope: state s leads to node Next[s]. In a test of one state against the others, the others
// share a node.
type TreeNode struct {
	Axis int
	Next []int32
	Leaf []float64
}

// Kind returns "tree".
func (*Tree) Kind() string { return "tree" }

// Numbers returns the numbers of the leaves, in order of nodes, in a new slice.
func (d *Tree) Numbers() []float64 {
	list := make([]float64, 0, d.Size())
	for i := range d.Nodes {
		list = append(list, d.Nodes[i].Leaf...)
	}
	return list
}

// Size returns the number of numbers at leaves.
func (d *Tree) Size() (n int) {
	for i := range d.Nodes {
		n += len(d.Nodes[i].Leaf)
	}
	return n
}

// HasZeros reports whether a number at a leaf is 0.
func (d *Tree) HasZeros() bool {
	return slices.ContainsFunc(d.Nodes, func(n TreeNode) bool { return slices.Contains(n.Leaf, 0) })
}

// Work returns one step per node, up to a depth that few paths exceed.
func (d *Tree) Work(*Model, *Factor) int { return min(len(d.Nodes), 32) }

func (d *Tree) value(m *Model, f *Factor, state []int) float64 {
	if f.Child < 0 {
		return d.leaf(f, state)[0]
	}
	return d.leaf(f, state)[state[f.ChildVar()]]
}

func (d *Tree) leaf(f *Factor, state []int) []float64 {
	n := &d.Nodes[0]
	for n.Leaf == nil {
		n = &d.Nodes[n.Next[state[f.Scope[n.Axis]]]]
	}
	return n.Leaf
}

func (*Tree) verbatim() {}

func (*Tree) fits(cpd bool) bool { return true }

func (d *Tree) check(c *checker, f *Factor, pos diag.Pos, what string) (rows [][]float64, ok bool) {
	if len(d.Nodes) == 0 {
		c.Errorf(pos, "%s is an empty tree", what)
		return nil, false
	}
	child := 1
	if f.Child >= 0 {
		child = c.m.Card(f.ChildVar())
	}
	for i, n := range d.Nodes {
		if n.Leaf != nil {
			if len(n.Leaf) != child {
				c.Errorf(pos, "%s has a leaf with %d numbers; want %d", what, len(n.Leaf), child)
				return nil, false
			}
			rows = append(rows, n.Leaf)
			continue
		}
		if n.Axis < 0 || n.Axis >= len(f.Scope) || n.Axis == f.Child {
			c.Errorf(pos, "%s tests position %d of its scope; want one of its parents", what, n.Axis)
			return nil, false
		}
		if want := c.m.Card(f.Scope[n.Axis]); len(n.Next) != want {
			c.Errorf(pos, "%s has a test of %q with %d branches; want %d", what, c.m.Vars[f.Scope[n.Axis]].Name, len(n.Next), want)
			return nil, false
		}
		for _, next := range n.Next {
			if int(next) <= i || int(next) >= len(d.Nodes) {
				c.Errorf(pos, "%s has node %d under node %d; want a later one of %d", what, next, i, len(d.Nodes))
				return nil, false
			}
		}
	}
	return rows, true
}

func (d *Tree) normalized(*Model, *Factor) Dist {
	out := &Tree{Nodes: slices.Clone(d.Nodes)}
	for i := range out.Nodes {
		if leaf := out.Nodes[i].Leaf; leaf != nil {
			out.Nodes[i].Leaf = slices.Clone(leaf)
			scaleRow(out.Nodes[i].Leaf, len(leaf), 1)
		}
	}
	return out
}

// MapRows implements [Rowwise] for a parent that is removed and not tested.
func (d *Tree) MapRows(_ *Model, f *Factor, scope []VarID, v VarID, _ RowChange) Dist {
	if slices.Contains(scope, v) {
		return nil
	}
	out := &Tree{Nodes: slices.Clone(d.Nodes)}
	for i := range out.Nodes {
		if n := &out.Nodes[i]; n.Leaf == nil {
			if n.Axis = slices.Index(scope, f.Scope[n.Axis]); n.Axis < 0 {
				return nil
			}
		}
	}
	return out
}

// asks returns the first tested variable on the path with a negative state.
func (d *Tree) asks(f *Factor, state []int) VarID {
	for n := &d.Nodes[0]; n.Leaf == nil; {
		v := f.Scope[n.Axis]
		if state[v] < 0 {
			return v
		}
		n = &d.Nodes[n.Next[state[v]]]
	}
	return -1
}

// ignores reports whether all states of v lead to equal leaves.
func (d *Tree) ignores(m *Model, f *Factor, v VarID, state []int) bool {
	var first []float64
	for s := range m.Card(v) {
		state[v] = s
		leaf := d.leaf(f, state)
		if s > 0 && !slices.Equal(leaf, first) {
			return false
		}
		first = leaf
	}
	return true
}

// offsets returns, by node, the place of its leaf in Numbers.
func (d *Tree) offsets() []int {
	at, n := make([]int, len(d.Nodes)), 0
	for i := range d.Nodes {
		at[i] = n
		n += len(d.Nodes[i].Leaf)
	}
	return at
}

// Layout implements [Fitted]. Each leaf is a row. Since nodes may be shared, the share of a leaf is
// the sum over the paths to it.
func (d *Tree) Layout(*Model, *Factor) Layout {
	l := Layout{Inner: 1}
	share := make([]float64, len(d.Nodes))
	share[0] = 1
	for i, n := range d.Nodes {
		if n.Leaf != nil {
			l.Share = append(l.Share, share[i])
			continue
		}
		for _, next := range n.Next {
			share[next] += share[i] / float64(len(n.Next))
		}
	}
	return l
}

// WithNumbers returns a tree with the same tests, and with the numbers leaf after leaf.
func (d *Tree) WithNumbers(numbers []float64) Dist {
	out := &Tree{Nodes: slices.Clone(d.Nodes)}
	for i := range out.Nodes {
		if n := len(out.Nodes[i].Leaf); n > 0 {
			out.Nodes[i].Leaf, numbers = numbers[:n], numbers[n:]
		}
	}
	return out
}

// Places implements [Partitioned]. The place is the leaf's plus the state of the child.
func (d *Tree) Places(f *Factor) func(state []int) int {
	at, child := d.offsets(), f.ChildVar()
	return func(state []int) int {
		i := 0
		for d.Nodes[i].Leaf == nil {
			i = int(d.Nodes[i].Next[state[f.Scope[d.Nodes[i].Axis]]])
		}
		if child < 0 {
			return at[i]
		}
		return at[i] + state[child]
	}
}

// Trees returns f itself.
func (d *Tree) Trees(_ *Model, f *Factor) (trees []*Factor, whole bool) { return []*Factor{f}, true }

// Paths returns the paths in the order of tests. Many paths may share a node.
func (d *Tree) Paths(_ *Model, f *Factor, most int) (list []Path) {
	var step func(node int32, states [][]bool) bool
	step = func(node int32, states [][]bool) bool {
		n := &d.Nodes[node]
		if n.Leaf != nil {
			list = append(list, Path{states, n.Leaf})
			return len(list) <= most
		}
		done := make([]bool, len(n.Next))
		for s, next := range n.Next {
			if done[s] {
				continue
			}
			reach := make([]bool, len(n.Next))
			some := false
			for t := s; t < len(n.Next); t++ {
				if n.Next[t] == next {
					done[t] = true
					reach[t] = states[n.Axis] == nil || states[n.Axis][t]
					some = some || reach[t]
				}
			}
			if !some {
				continue
			}
			below := slices.Clone(states)
			below[n.Axis] = reach
			if !step(next, below) {
				return false
			}
		}
		return true
	}
	if !step(0, make([][]bool, len(f.Scope))) {
		return nil
	}
	return list
}

func (d *Tree) term(_ *Model, f *Factor) Term {
	t := &treeTerm{f: f, nodes: make([]TreeNode, len(d.Nodes))}
	for i, n := range d.Nodes {
		t.nodes[i] = n
		if n.Leaf != nil {
			t.nodes[i].Leaf = make([]float64, len(n.Leaf))
			for k, x := range n.Leaf {
				t.nodes[i].Leaf[k] = pgmrt.Ln(x)
			}
		}
	}
	return t
}

// treeTerm is a decision tree with logarithms at its leaves.
type treeTerm struct {
	f     *Factor
	nodes []TreeNode
}

// leaf returns the leaf that a joint state leads to from the given node.
func (t *treeTerm) leaf(state []int, from int32) *TreeNode {
	n := &t.nodes[from]
	for n.Leaf == nil {
		n = &t.nodes[n.Next[state[t.f.Scope[n.Axis]]]]
	}
	return n
}

// value returns ln of the value at a leaf.
func (t *treeTerm) value(n *TreeNode, state []int) float64 {
	if t.f.Child < 0 {
		return n.Leaf[0]
	}
	return n.Leaf[state[t.f.ChildVar()]]
}

// Log returns ln of the value at the leaf of a joint state.
func (t *treeTerm) Log(state []int) float64 { return t.value(t.leaf(state, 0), state) }

// Flip changes the variables on the path to the leaf, each at its first test. Changes of other
// variables do not change the value.
func (t *treeTerm) Flip(state []int, flips [][]float64) {
	at := int32(0)
	for t.nodes[at].Leaf == nil {
		n := &t.nodes[at]
		v := t.f.Scope[n.Axis]
		if !t.tested(state, at, n.Axis) {
			was := state[v]
			for s := range flips[v] {
				state[v] = s
				flips[v][s] += t.value(t.leaf(state, at), state)
			}
			state[v] = was
		}
		at = n.Next[state[v]]
	}
	if t.f.Child >= 0 {
		row := flips[t.f.ChildVar()]
		for s, x := range t.nodes[at].Leaf {
			row[s] += x
		}
	}
}

// tested reports whether a node on the path to node until tests the variable at axis.
func (t *treeTerm) tested(state []int, until int32, axis int) bool {
	for at := int32(0); at != until; {
		n := &t.nodes[at]
		if n.Axis == axis {
			return true
		}
		at = n.Next[state[t.f.Scope[n.Axis]]]
	}
	return false
}
