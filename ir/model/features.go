package model

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Features is log-linear: the exponential of the sum of the weights of all features that hold. In a
// CPD that is divided by its sum over the states of the child, which makes a logistic regression
// (Koller and Friedman, section 4.4.1.2).
type Features struct{ List []Feature }

// Feature is a weighted conjunction. It holds if all its literals do; without literals it always holds.
type Feature struct {
	Weight   float64 // natural logarithm; minus infinity forbids the states in which the feature holds
	Literals []Literal
}

// Literal says that the variable at position Axis of the scope has a state, or with Not that it has another one.
type Literal struct {
	Axis  int
	State int32
	Not   bool
}

// Kind is "features".
func (*Features) Kind() string { return "features" }

// Numbers are the exponentials of the weights, in a new list.
func (d *Features) Numbers() []float64 {
	var list []float64
	for _, x := range d.List {
		list = append(list, math.Exp(x.Weight))
	}
	return list
}

// Size is the number of features.
func (d *Features) Size() int { return len(d.List) }

// HasZeros reports whether a weight is so small that a value may be 0.
func (d *Features) HasZeros() bool {
	return slices.ContainsFunc(d.List, func(x Feature) bool { return x.Weight < -MaxLogWeight })
}

// Work is a step a feature and a literal, in a CPD for each state of the child.
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

// MaxLogWeight bounds the sum of the positive weights of a potential, so that its values are finite.
const MaxLogWeight = 700

// Log is the sum of the weights of the features of f that hold at a joint state of all variables.
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

// value of a CPD is zero throughout a row whose states are all forbidden.
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

// check never fails with ok false, since features have no rows.
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
	if f.Child < 0 && positive > MaxLogWeight {
		c.Errorf(pos, "%s has positive weights that sum to %v; want at most %d, so that its values are finite", what, positive, MaxLogWeight)
	}
	return nil, true
}

func (d *Features) normalized(*Model, *Factor) Dist { return d }

// restrict drops the features that the evidence refutes, and from the others the literals that it
// fulfils.
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

// maxExclusive is the most features that Exclusive compares with each other.
const maxExclusive = 1 << 12

// Exclusive reports whether exactly one feature holds at each joint state of the scope of f, as if they
// were the leaves of a tree. No two do if each pair has a variable on which they contradict each other;
// one always does if the shares of joint states at which they hold then add up to one. Of more than
// 4,096 features it says no.
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

// Holds gives, by position of the scope of f, the states at which x holds; nil is all.
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

// contradict reports whether two products of sets of states have nothing in common.
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

// Paths are the features of a potential if exactly one holds at each joint state, and nil otherwise.
func (d *Features) Paths(m *Model, f *Factor, _ int) (list []Path) {
	if f.Child >= 0 || !d.Exclusive(m, f) {
		return nil
	}
	for i := range d.List {
		list = append(list, Path{d.List[i].Holds(m, f), []float64{math.Exp(d.List[i].Weight)}})
	}
	return list
}

// Trees has a potential for each feature: the exponential of its weight if the feature holds, else 1.
func (d *Features) Trees(m *Model, f *Factor) (trees []*Factor, whole bool) {
	for i := range d.List {
		trees = append(trees, &Factor{Scope: f.Scope, Child: -1, Dist: d.List[i].tree(m, f), Pos: f.Pos})
	}
	return trees, f.Child < 0
}

// tree tests the literals one after the other. Its leaves are that of failure, then that of success;
// without literals both hold the weight.
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
