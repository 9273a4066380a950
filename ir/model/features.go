package model

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Features is log-linear: the exponential of the sum of the weights of all features that hold. In a CPD that is divided by
// its sum over the states of the child, which makes a logistic regression (Koller and Friedman, section 4.4.1.2).
type Features struct{ List []Feature }

// Feature is a weighted conjunction; it holds where all its literals do, and without literals everywhere.
type Feature struct {
	Weight   float64 // natural logarithm; minus infinity forbids the states where the feature holds
	Literals []Literal
}

// Literal says that the variable at position Axis of the scope has a state, or with Not that it has another one.
type Literal struct {
	Axis  int
	State int32
	Not   bool
}

func (*Features) dist() {}

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

// features is the value of f at a state. A row of a CPD whose states are all forbidden is zero.
func (m *Model) features(f *Factor, d *Features, state []int) float64 {
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

func (c *checker) features(f *Factor, d *Features, pos diag.Pos, what string) {
	positive := 0.0
	for i, x := range d.List {
		if math.IsNaN(x.Weight) || math.IsInf(x.Weight, 1) {
			c.Errorf(c.rowPos(f, i), "%s has a feature of weight %v; want a number or minus infinity", what, x.Weight)
			return
		}
		positive += max(0, x.Weight)
		for _, l := range x.Literals {
			if l.Axis < 0 || l.Axis >= len(f.Scope) {
				c.Errorf(c.rowPos(f, i), "%s tests position %d of its scope; want 0 to %d", what, l.Axis, len(f.Scope)-1)
				return
			}
			if v := f.Scope[l.Axis]; l.State < 0 || int(l.State) >= c.m.Card(v) {
				c.Errorf(c.rowPos(f, i), "%s tests state number %d of %q; want 0 to %d", what, l.State, c.m.Vars[v].Name, c.m.Card(v)-1)
				return
			}
		}
	}
	if f.Child < 0 && positive > MaxLogWeight {
		c.Errorf(pos, "%s has positive weights that sum to %v; want at most %d, so that its values are finite", what, positive, MaxLogWeight)
	}
}

// maxExclusive is the most features that Exclusive compares with each other.
const maxExclusive = 1 << 12

// Exclusive reports whether exactly one feature holds at each joint state of the scope of f, as where they are the leaves of a tree. No two do
// where each pair has a variable on which they contradict each other; one always does where the shares of joint states at which they
// hold then add up to one. Of more than 4,096 features it says no.
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
