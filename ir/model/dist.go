package model

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Dist holds the numbers of a factor. It is sealed: Table, Deterministic, NoisyMax, Tree, Features,
// Circuit or LDFM. Positions ("axes") refer to the factor's scope, so that most methods take the
// factor that the distribution belongs to, and its model.
//
// The rows of a CPD are the lists of numbers that must sum to one: the rows of a table in row-major
// order of the other variables; the leaves of a tree in order of nodes; the rows of a noisy-max, leak
// first, then by cause and its state. The other kinds have none; their positions in a file are those
// of features and of nodes.
//
// A kind of distribution is one file of this package with everything about it. What only some kinds
// can do is a small interface of its own, see capability.go.
type Dist interface {
	// Kind is the name of the kind in files and messages: "table", "noisy-max".
	Kind() string
	// Numbers lists the numbers that the distribution holds: of a table its values, of a tree leaf
	// after leaf, of a noisy-max leak and causes, of features the exponentials of their weights, of a
	// circuit those of its nodes. The list may be shared with the distribution.
	Numbers() []float64
	// Size is how many numbers or states it lists.
	Size() int
	// HasZeros reports whether its numbers leave values of 0 possible, without a look at the values.
	HasZeros() bool
	// Work is about how many steps it takes to find one value of f.
	Work(m *Model, f *Factor) int

	// value is the value of f at a joint state of all variables.
	value(m *Model, f *Factor, state []int) float64
	// fits reports whether the kind can be a CPD, or a potential.
	fits(cpd bool) bool
	// check reports mistakes in sizes, and in numbers outside rows, and gives the rows. pos is the
	// position of f, and what its name for messages; ok is false after a mistake.
	check(c *checker, f *Factor, pos diag.Pos, what string) (rows [][]float64, ok bool)
	// normalized is the distribution of the CPD f with each row divided by its sum. Rows that sum to
	// zero stay; without rows it is the distribution itself.
	normalized(m *Model, f *Factor) Dist
}

// Value is the value of f at a joint state of all variables, indexed by VarID. The model must have
// passed Check.
func (m *Model) Value(f *Factor, state []int) float64 { return f.Dist.value(m, f, state) }

// index is the row-major index of state in scope, leaving out position skip.
func (m *Model) index(scope []VarID, skip int, state []int) int {
	i := 0
	for pos, v := range scope {
		if pos != skip {
			i = i*m.Card(v) + state[v]
		}
	}
	return i
}

// inner is the number of joint states of the variables behind the child in the scope of f: the
// distance in a table between numbers of one row.
func (m *Model) inner(f *Factor) int {
	n := 1
	for _, v := range f.Scope[f.Child+1:] {
		n *= m.Card(v)
	}
	return n
}

// Table gives the values of f, row-major, if its distribution is a table, and otherwise nil and false.
// The slice is shared with the model.
func (f *Factor) Table() (values []float64, ok bool) {
	if d, ok := f.Dist.(*Table); ok {
		return d.Values, true
	}
	return nil, false
}

// Circuit is the distribution of f if that is a circuit, and otherwise nil.
func (f *Factor) Circuit() *Circuit {
	d, _ := f.Dist.(*Circuit)
	return d
}

// Tabulate gives the values of f for all joint states of its scope, row-major; the slice is shared
// with the model if f is a table. It fails if there are more than limit values.
func (m *Model) Tabulate(f *Factor, limit int) ([]float64, error) {
	if values, ok := f.Table(); ok {
		return values, nil
	}
	n, ok := m.TableSize(f.Scope)
	if !ok || n > mostEntries(f.Dist, limit) {
		return nil, fmt.Errorf("%v: the table of the %s would have e^%.1f entries; the limit is %d",
			f.Pos, m.FactorName(f), m.LogTableSize(f.Scope), limit)
	}
	values := make([]float64, n)
	state := make([]int, len(m.Vars))
	for i := range values {
		values[i] = m.Value(f, state)
		m.Next(f.Scope, state)
	}
	return values, nil
}

// Next steps state to the next joint state of scope in row-major order and reports whether there was
// one; after the last it is back at the first.
func (m *Model) Next(scope []VarID, state []int) bool {
	for i := len(scope) - 1; i >= 0; i-- {
		v := scope[i]
		state[v]++
		if state[v] < m.Card(v) {
			return true
		}
		state[v] = 0
	}
	return false
}

// SumsToOne reports whether each row of the CPD f is known to sum to one within RowsExact. It is known
// of tables and of deterministic CPDs.
func (m *Model) SumsToOne(f *Factor) bool {
	d, ok := f.Dist.(summing)
	return ok && d.sumsToOne(m, f)
}
