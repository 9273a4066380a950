package model

import pgmrt "github.com/pgmc-go/pgmc/runtime"

// Term evaluates the logarithm of a factor, and how it changes with single variables. A Term may
// have scratch memory, so only one goroutine at a time may use it.
type Term interface {
	// Log returns ln of the value at a joint state of all variables.
	Log(state []int) float64
	// Flip adds to flips, for variables of the scope and each of their states, ln of the value when
	// only that variable is changed. It may leave out a term that is equal for all states of a
	// variable. It leaves state unchanged.
	Flip(state []int, flips [][]float64)
}

// smallTable is the largest table that Term creates for a factor that is not a table.
const smallTable = 1 << 12

// Term returns the term of a factor of m.
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

// valueTerm computes the value of a factor when asked.
type valueTerm struct {
	m *Model
	f *Factor
}

// Log returns the logarithm of the factor's value.
func (t *valueTerm) Log(state []int) float64 { return pgmrt.Ln(t.m.Value(t.f, state)) }

// Flip evaluates the factor in each state of each variable.
func (t *valueTerm) Flip(state []int, flips [][]float64) { flipEach(t, t.f.Scope, state, flips) }

// flipEach evaluates t in each state of each variable of scope.
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
