package model

import "math"

// Term is a factor as sums of logarithms see it: its logarithm, and how that changes with single
// variables. A Term may have scratch memory, so that one goroutine at a time may use it.
type Term interface {
	// Log is ln of the value at a joint state of all variables.
	Log(state []int) float64
	// Flip adds to flips, for variables of the scope and each state of theirs, ln of the value if that
	// variable alone is changed. It may leave out what is the same for all states of a variable. It
	// leaves state as it was.
	Flip(state []int, flips [][]float64)
	// Cost is about how many numbers Flip looks at.
	Cost() int
}

// smallTable is the most numbers of a factor that is no table and yet becomes one as a Term.
const smallTable = 1 << 12

// Term gives the term of a factor of m.
func (m *Model) Term(f *Factor) Term {
	if d, ok := f.Dist.(termed); ok {
		if t := d.term(m, f); t != nil {
			return t
		}
	}
	if values, err := m.Tabulate(f, smallTable); err == nil {
		return newTableTerm(m, f, values)
	}
	return &valueTerm{m, f}
}

// valueTerm is a factor that is asked for its value.
type valueTerm struct {
	m *Model
	f *Factor
}

func (t *valueTerm) Log(state []int) float64 { return math.Log(t.m.Value(t.f, state)) }

func (t *valueTerm) Flip(state []int, flips [][]float64) { flipEach(t, t.f.Scope, state, flips) }

func (t *valueTerm) Cost() int {
	values := 0
	for _, v := range t.f.Scope {
		values += t.m.Card(v)
	}
	return values * t.f.Dist.Work(t.m, t.f)
}

// flipEach asks for the value in each state of each variable of scope.
func flipEach(t Term, scope []VarID, state []int, flips [][]float64) {
	for _, v := range scope {
		was := state[v]
		for s := range flips[v] {
			state[v] = s
			flips[v][s] += t.Log(state)
		}
		state[v] = was
	}
}
