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
