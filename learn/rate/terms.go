package rate

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
)

// smallTable is the most numbers of a factor that is no table and yet becomes one.
const smallTable = 1 << 12

func newTerm(m *model.Model, f *model.Factor) term {
	switch d := f.Dist.(type) {
	case *model.Table:
		return newTable(m, f, d.Values)
	case *model.Tree:
		return newTree(m, f, d)
	case *model.Features:
		if f.Child < 0 {
			return &features{m, f, d}
		}
	case *model.LDFM:
		return &forest{m, f, d, m.ForestOffsets(), model.NewSpanning(len(m.Vars))}
	}
	if values, err := m.Tabulate(f, smallTable); err == nil {
		return newTable(m, f, values)
	}
	if d, ok := f.Dist.(*model.Features); ok {
		return newRegression(m, f, d)
	}
	return &opaque{m, f}
}

// table is a factor as a table of logarithms.
type table struct {
	scope  []model.VarID
	stride []int
	logs   []float64
}

func newTable(m *model.Model, f *model.Factor, values []float64) *table {
	t := &table{scope: f.Scope, stride: make([]int, len(f.Scope)), logs: make([]float64, len(values))}
	step := 1
	for i := len(f.Scope) - 1; i >= 0; i-- {
		t.stride[i] = step
		step *= m.Card(f.Scope[i])
	}
	for i, x := range values {
		t.logs[i] = math.Log(x)
	}
	return t
}

func (t *table) at(state []int) int {
	i := 0
	for axis, v := range t.scope {
		i += state[v] * t.stride[axis]
	}
	return i
}

func (t *table) log(state []int) float64 { return t.logs[t.at(state)] }

func (t *table) flip(state []int, flips [][]float64) {
	here := t.at(state)
	for axis, v := range t.scope {
		i := here - state[v]*t.stride[axis]
		row := flips[v]
		for s := range row {
			row[s] += t.logs[i]
			i += t.stride[axis]
		}
	}
}

func (t *table) cost() int {
	n := 0
	for axis, step := range t.stride {
		outer := len(t.logs)
		if axis > 0 {
			outer = t.stride[axis-1]
		}
		n += outer / step
	}
	return n
}

// tree is a factor as a decision tree with logarithms at its leaves.
type tree struct {
	f     *model.Factor
	nodes []model.TreeNode
}

func newTree(m *model.Model, f *model.Factor, d *model.Tree) *tree {
	t := &tree{f: f, nodes: make([]model.TreeNode, len(d.Nodes))}
	for i, n := range d.Nodes {
		t.nodes[i] = n
		if n.Leaf != nil {
			t.nodes[i].Leaf = make([]float64, len(n.Leaf))
			for k, x := range n.Leaf {
				t.nodes[i].Leaf[k] = math.Log(x)
			}
		}
	}
	return t
}

// leaf is where a joint state leads from some node.
func (t *tree) leaf(state []int, from int32) *model.TreeNode {
	n := &t.nodes[from]
	for n.Leaf == nil {
		n = &t.nodes[n.Next[state[t.f.Scope[n.Axis]]]]
	}
	return n
}

// value is ln of the value at a leaf.
func (t *tree) value(n *model.TreeNode, state []int) float64 {
	if t.f.Child < 0 {
		return n.Leaf[0]
	}
	return n.Leaf[state[t.f.ChildVar()]]
}

func (t *tree) log(state []int) float64 { return t.value(t.leaf(state, 0), state) }

// flip changes the variables on the way to the leaf, each where it is first asked for. The others change nothing.
func (t *tree) flip(state []int, flips [][]float64) {
	at := int32(0)
	for t.nodes[at].Leaf == nil {
		n := &t.nodes[at]
		v := t.f.Scope[n.Axis]
		if !t.asked(state, at, n.Axis) {
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

func (t *tree) cost() int { return len(t.nodes) }

// asked reports whether a variable is asked for on the way to a node.
func (t *tree) asked(state []int, until int32, axis int) bool {
	for at := int32(0); at != until; {
		n := &t.nodes[at]
		if n.Axis == axis {
			return true
		}
		at = n.Next[state[t.f.Scope[n.Axis]]]
	}
	return false
}

// features is a potential as a list of weighted conjunctions.
type features struct {
	m *model.Model
	f *model.Factor
	d *model.Features
}

func (t *features) log(state []int) float64 { return t.d.Log(t.f, state) }

// flip adds the weight of each feature that holds, or would if one variable changed, to the states of variables with which it does.
func (t *features) flip(state []int, flips [][]float64) {
	for i := range t.d.List {
		x := &t.d.List[i]
		wrong, only := 0, model.VarID(-1) // literals that fail, and the variable of all of them
		for _, l := range x.Literals {
			v := t.f.Scope[l.Axis]
			if (state[v] == int(l.State)) == l.Not && v != only {
				wrong++
				only = v
			}
		}
		if wrong > 1 {
			continue
		}
		for k, l := range x.Literals {
			v := t.f.Scope[l.Axis]
			if wrong == 1 && v != only || before(x.Literals[:k], l.Axis) {
				continue
			}
			first, last := 0, len(flips[v])-1
			if !l.Not { // no other state will do
				first, last = int(l.State), int(l.State)
			}
			for s := first; s <= last; s++ {
				if holds(x.Literals, l.Axis, s) {
					flips[v][s] += x.Weight
				}
			}
		}
	}
}

func (t *features) cost() int {
	n := 0
	for i := range t.d.List {
		for _, l := range t.d.List[i].Literals {
			n += t.m.Card(t.f.Scope[l.Axis])
		}
	}
	return n
}

// before reports whether a literal is about a variable.
func before(list []model.Literal, axis int) bool {
	for _, l := range list {
		if l.Axis == axis {
			return true
		}
	}
	return false
}

// holds reports whether all literals about a variable hold in a state of it.
func holds(list []model.Literal, axis, state int) bool {
	for _, l := range list {
		if l.Axis == axis && (state == int(l.State)) == l.Not {
			return false
		}
	}
	return true
}

// forest is the potential of a latent dependency forest model, whose weights may be beyond any number.
type forest struct {
	m       *model.Model
	f       *model.Factor
	d       *model.LDFM
	offsets []int
	tree    *model.Spanning
}

func (t *forest) log(state []int) float64 {
	stops := t.tree.Load(t.d, t.offsets, state)
	return stops + t.tree.Factor()
}

func (t *forest) flip(state []int, flips [][]float64) { flipEach(t, t.f.Scope, state, flips) }

func (t *forest) cost() int {
	n := len(t.m.Vars)
	return t.offsets[n] * n * n * n
}

// flipEach asks for the value in each state of each variable of scope.
func flipEach(t term, scope []model.VarID, state []int, flips [][]float64) {
	for _, v := range scope {
		was := state[v]
		for s := range flips[v] {
			state[v] = s
			flips[v][s] += t.log(state)
		}
		state[v] = was
	}
}

// opaque is a factor that is asked for its value.
type opaque struct {
	m *model.Model
	f *model.Factor
}

func (t *opaque) log(state []int) float64 { return math.Log(t.m.Value(t.f, state)) }

func (t *opaque) flip(state []int, flips [][]float64) { flipEach(t, t.f.Scope, state, flips) }

func (t *opaque) cost() int {
	values := 0
	for _, v := range t.f.Scope {
		values += t.m.Card(v)
	}
	if d, ok := t.f.Dist.(*model.Circuit); ok {
		return values * len(d.Nodes)
	}
	return values * len(t.f.Scope)
}
