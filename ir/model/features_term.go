package model

import (
	"math"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// term returns a list of features for a potential, and a regression for a CPD with a table that is
// not small.
func (d *Features) term(m *Model, f *Factor) Term {
	if f.Child < 0 {
		return &featuresTerm{f, d}
	}
	if n, ok := m.TableSize(f.Scope); ok && n <= smallTable {
		return nil
	}
	return newRegression(m, f, d)
}

// featuresTerm is a potential as a list of weighted conjunctions.
type featuresTerm struct {
	f *Factor
	d *Features
}

// Log returns the sum of the weights of the features that hold.
func (t *featuresTerm) Log(state []int) float64 { return t.d.Log(t.f, state) }

// Flip adds the weight of each feature that holds, or would if one variable changed, to the states
// of variables with which it does.
func (t *featuresTerm) Flip(state []int, flips [][]float64) {
	for i := range t.d.List {
		x := &t.d.List[i]
		wrong, only := 0, VarID(-1) // the number of literals that fail, and their variable if they have only one
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
			if !l.Not { // only this state satisfies it
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

// before reports whether a literal of list tests the variable at axis.
func before(list []Literal, axis int) bool {
	for _, l := range list {
		if l.Axis == axis {
			return true
		}
	}
	return false
}

// holds reports whether all literals on the variable at axis hold in a state of it.
func holds(list []Literal, axis, state int) bool {
	for _, l := range list {
		if l.Axis == axis && (state == int(l.State)) == l.Not {
			return false
		}
	}
	return true
}

// regression is a CPD as a list of weighted conjunctions, each tested once for all states of the
// child.
type regression struct {
	f     *Factor
	child VarID
	terms []conjunction
	row   []float64 // scratch: by state of the child, the sum of its weights
}

// conjunction is a feature with tests of the child that are separate from the others.
type conjunction struct {
	others []literal
	states []int // states of the child in which it holds
	weight float64
}

// literal is a test of a variable.
type literal struct {
	v     VarID
	state int
	not   bool
}

func newRegression(m *Model, f *Factor, d *Features) *regression {
	t := &regression{f: f, child: f.ChildVar(), row: make([]float64, m.Card(f.ChildVar()))}
	for _, x := range d.List {
		c := conjunction{weight: x.Weight}
		for s := range t.row {
			if holds(x.Literals, f.Child, s) {
				c.states = append(c.states, s)
			}
		}
		for _, l := range x.Literals {
			if l.Axis != f.Child {
				c.others = append(c.others, literal{f.Scope[l.Axis], int(l.State), l.Not})
			}
		}
		t.terms = append(t.terms, c)
	}
	return t
}

// Log returns ln of the value, and minus infinity in a row in which all states are forbidden.
func (t *regression) Log(state []int) float64 {
	clear(t.row)
next:
	for i := range t.terms {
		c := &t.terms[i]
		for _, l := range c.others {
			if (state[l.v] == l.state) == l.not {
				continue next
			}
		}
		for _, s := range c.states {
			t.row[s] += c.weight
		}
	}
	return logShare(t.row, state[t.child])
}

// Flip evaluates the regression in each state of each variable.
func (t *regression) Flip(state []int, flips [][]float64) { flipEach(t, t.f.Scope, state, flips) }

// logShare returns ln of the probability of a state when a row of exponentials is normalised.
func logShare(row []float64, state int) float64 {
	if math.IsInf(row[state], -1) { // all states may be
		return row[state]
	}
	most := math.Inf(-1)
	for _, x := range row {
		most = max(most, x)
	}
	sum := 0.0
	for _, x := range row {
		sum += math.Exp(x - most)
	}
	return row[state] - (most + pgmrt.Ln(sum))
}
