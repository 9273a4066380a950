package model

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Features is log-linear: the exponential of the sum of the weights of all features that hold. In a
// CPD, this is divided by its sum over the states of the child, which gives a logistic regression
// (Koller and Friedman, section 4.4.1.2).
type Features struct{ List []Feature }

// Feature is a weighted conjunction. It holds if all its literals do; without literals it always
// holds.
type Feature struct {
	Weight   float64 // natural logarithm; minus infinity forbids the states in which the feature holds
	Literals []Literal
}

// Literal tests the variable at position Axis of the scope: it must have State or, if Not is set,
// any other state.
type Literal struct {
	Axis  int
	State int32
	Not   bool
}

// Kind returns "features".
func (*Features) Kind() string { return "features" }

// Numbers returns the exponentials of the weights, in a new slice.
func (d *Features) Numbers() []float64 {
	var list []float64
	for _, x := range d.List {
		list = append(list, math.Exp(x.Weight))
	}
	return list
}

// Size returns the number of features.
func (d *Features) Size() int { return len(d.List) }

// HasZeros reports whether a weight is small enough for a value to be 0.
func (d *Features) HasZeros() bool {
	return slices.ContainsFunc(d.List, func(x Feature) bool { return x.Weight < -maxLogWeight })
}

// Work returns one step per feature and literal, for each state of the child in a CPD.
func (d *Features) Work(m *Model, f *Factor) int {
	n, card := 0, 1
	for _, x := range d.List {
		n += 1 + len(x.Literals)
	}
	if f.Child >= 0 {
		card = m.Card(f.ChildVar())
	}
	return len(f.Scope) + n*card
}

// maxLogWeight bounds the sum of the positive weights of a potential, so that its values are
// finite.
const maxLogWeight = 700

// Log returns the sum of the weights of the features of f that hold at a joint state of all
// variables.
func (d *Features) Log(f *Factor, state []int) float64 {
	sum := 0.0
	for i := range d.List {
		if d.List[i].holds(f, state) {
			sum += d.List[i].Weight
		}
	}
	return sum
}

func (x *Feature) holds(f *Factor, state []int) bool {
	for _, l := range x.Literals {
		if (state[f.Scope[l.Axis]] == int(l.State)) == l.Not {
			return false
		}
	}
	return true
}

// value returns zero in a row of a CPD in which all states are forbidden.
func (d *Features) value(m *Model, f *Factor, state []int) float64 {
	here := d.Log(f, state)
	child := f.ChildVar()
	if child < 0 || math.IsInf(here, -1) {
		return math.Exp(here)
	}
	was := state[child]
	sum := 0.0
	for state[child] = range m.Card(child) {
		sum += math.Exp(d.Log(f, state) - here)
	}
	state[child] = was
	return 1 / sum
}

func (*Features) fits(cpd bool) bool { return true }

// check always returns ok, since features have no rows.
func (d *Features) check(c *checker, f *Factor, pos diag.Pos, what string) (rows [][]float64, ok bool) {
	positive := 0.0
	for i, x := range d.List {
		if math.IsNaN(x.Weight) || math.IsInf(x.Weight, 1) {
			c.Errorf(c.rowPos(f, i), "%s has a feature of weight %v; want a number or minus infinity", what, x.Weight)
			return nil, true
		}
		positive += max(0, x.Weight)
		for _, l := range x.Literals {
			if l.Axis < 0 || l.Axis >= len(f.Scope) {
				c.Errorf(c.rowPos(f, i), "%s tests position %d of its scope; want 0 to %d", what, l.Axis, len(f.Scope)-1)
				return nil, true
			}
			if v := f.Scope[l.Axis]; l.State < 0 || int(l.State) >= c.m.Card(v) {
				c.Errorf(c.rowPos(f, i), "%s tests state number %d of %q; want 0 to %d", what, l.State, c.m.Vars[v].Name, c.m.Card(v)-1)
				return nil, true
			}
		}
	}
	if f.Child < 0 && positive > maxLogWeight {
		c.Errorf(pos, "%s has positive weights that sum to %v; want at most %d, so that its values are finite", what, positive, maxLogWeight)
	}
	return nil, true
}

func (d *Features) normalized(*Model, *Factor) Dist { return d }

// restrict drops the features that the evidence contradicts, and drops the literals that it
// satisfies from the others.
func (d *Features) restrict(_ *Model, f *Factor, scope []VarID, state []int) Dist {
	if f.Child >= 0 {
		return nil
	}
	out := &Features{}
	for _, x := range d.List {
		y := Feature{Weight: x.Weight}
		refuted := false
		for _, l := range x.Literals {
			v := f.Scope[l.Axis]
			if state[v] < 0 {
				l.Axis = slices.Index(scope, v)
				y.Literals = append(y.Literals, l)
			} else if (state[v] == int(l.State)) == l.Not {
				refuted = true
			}
		}
		if !refuted {
			out.List = append(out.List, y)
		}
	}
	return out
}

// maxExclusive is the largest number of features that Exclusive compares with each other.
const maxExclusive = 1 << 12

// Exclusive reports whether exactly one feature holds at each joint state of the scope of f, like
// the leaves of a tree. At most one does if each pair contradicts each other on some variable. At
// least one does if, in addition, the fractions of joint states at which they hold add up to one.
// Exclusive reports false for more than 4,096 features.
func (d *Features) Exclusive(m *Model, f *Factor) bool {
	if len(d.List) > maxExclusive {
		return false
	}
	var before [][][]bool
	all := 0.0
	for i := range d.List {
		states, share := d.List[i].Holds(m, f), 1.0
		for _, other := range before {
			if !contradict(states, other) {
				return false
			}
		}
		for _, list := range states {
			if list != nil {
				share *= float64(count(list)) / float64(len(list))
			}
		}
		before, all = append(before, states), all+share
	}
	return math.Abs(all-1) < 1e-9
}

// Holds returns, by position of the scope of f, the states at which x holds; nil means all.
func (x *Feature) Holds(m *Model, f *Factor) [][]bool {
	out := make([][]bool, len(f.Scope))
	for _, lit := range x.Literals {
		states := make([]bool, m.Card(f.Scope[lit.Axis]))
		for s := range states {
			states[s] = (s == int(lit.State)) != lit.Not && (out[lit.Axis] == nil || out[lit.Axis][s])
		}
		out[lit.Axis] = states
	}
	return out
}

// contradict reports whether two products of sets of states are disjoint.
func contradict(a, b [][]bool) bool {
	for axis, states := range a {
		if states == nil || b[axis] == nil {
			continue
		}
		both := false
		for s, x := range states {
			both = both || x && b[axis][s]
		}
		if !both {
			return true
		}
	}
	return false
}

func count(states []bool) (n int) {
	for _, x := range states {
		if x {
			n++
		}
	}
	return n
}

// Paths returns the features of a potential as paths if exactly one holds at each joint state, and
// nil otherwise.
func (d *Features) Paths(m *Model, f *Factor, _ int) (list []Path) {
	if f.Child >= 0 || !d.Exclusive(m, f) {
		return nil
	}
	for i := range d.List {
		list = append(list, Path{d.List[i].Holds(m, f), []float64{math.Exp(d.List[i].Weight)}})
	}
	return list
}

// Trees returns a potential for each feature: the exponential of its weight if the feature holds,
// else 1.
func (d *Features) Trees(m *Model, f *Factor) (trees []*Factor, whole bool) {
	for i := range d.List {
		trees = append(trees, &Factor{Scope: f.Scope, Child: -1, Dist: d.List[i].tree(m, f), Pos: f.Pos})
	}
	return trees, f.Child < 0
}

// tree returns a tree that tests the literals one after the other. Its leaves are failure, then
// success; without literals both hold the weight.
func (x *Feature) tree(m *Model, f *Factor) *Tree {
	n := int32(len(x.Literals))
	d := &Tree{}
	for i, l := range x.Literals {
		next := make([]int32, m.Card(f.Scope[l.Axis]))
		for s := range next {
			if next[s] = n; (s == int(l.State)) != l.Not {
				if next[s] = int32(i + 1); int32(i+1) == n {
					next[s] = n + 1
				}
			}
		}
		d.Nodes = append(d.Nodes, TreeNode{Axis: l.Axis, Next: next})
	}
	fails, holds := 1.0, math.Exp(x.Weight)
	if n == 0 {
		fails = holds
	}
	d.Nodes = append(d.Nodes, TreeNode{Leaf: []float64{fails}}, TreeNode{Leaf: []float64{holds}})
	return d
}
