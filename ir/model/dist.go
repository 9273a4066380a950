package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Dist holds the numbers of a factor. It is sealed: Table, Deterministic, NoisyMax, Tree, Features,
// Circuit, Pairwise, LDFM, Gaussian, Diffuse, Func, Softmax or Canonical. Positions ("axes") refer
// to the factor's scope, so most methods take the factor that the distribution belongs to, and its
// model.
//
// The rows of a CPD are the lists of numbers that must sum to one: the rows of a table in row-major
// order of the other variables; the leaves of a tree in order of nodes; the rows of a noisy-max,
// leak first, then by cause and its state. The other kinds have no such rows; their positions in a
// file are the positions of features and of nodes, and of the rows of a Gaussian CPD.
//
// Each kind of distribution is one file of this package with everything about it. A capability of
// some kinds only is a small interface of its own, see capability.go.
type Dist interface {
	// Kind returns the name of the kind in files and messages: "table", "noisy-max".
	Kind() string
	// Numbers returns the numbers of the distribution: the values of a table, a tree's leaf after
	// leaf, the leak and the causes of a noisy-max, the exponentials of the weights of features,
	// the numbers of a circuit's nodes. The slice may be shared with the distribution.
	Numbers() []float64
	// Size returns the number of numbers or states that the distribution lists.
	Size() int
	// HasZeros reports whether values of 0 are possible, judged by the numbers without computing
	// values.
	HasZeros() bool
	// Work returns the approximate number of steps to compute one value of f.
	Work(m *Model, f *Factor) int

	// value returns the value of f at a joint state of all variables. It panics for kinds that are
	// dense, except for an LDFM without real variables.
	value(m *Model, f *Factor, state []int) float64
	// fits reports whether the kind can be a CPD, if cpd is true, or a potential.
	fits(cpd bool) bool
	// check reports errors in sizes, and in numbers outside rows, and returns the rows. pos is the
	// position of f, and what its name in messages. ok is false after an error.
	check(c *checker, f *Factor, pos diag.Pos, what string) (rows [][]float64, ok bool)
	// normalized returns the distribution of the CPD f with each row divided by its sum. Rows that
	// sum to zero stay. A distribution without rows returns itself.
	normalized(m *Model, f *Factor) Dist
}

// Value returns the value of f at a joint state of all variables, indexed by VarID. The model must
// have passed Check.
func (m *Model) Value(f *Factor, state []int) float64 { return f.Dist.value(m, f, state) }

// Index returns the row-major index of a joint state in scope. state is by variable.
func (m *Model) Index(scope []VarID, state []int) int { return m.index(scope, -1, state) }

// index is Index without position skip of the scope.
func (m *Model) index(scope []VarID, skip int, state []int) int {
	i := 0
	for pos, v := range scope {
		if pos != skip {
			i = i*m.Card(v) + state[v]
		}
	}
	return i
}

// Inner returns the number of joint states of the variables after the child in the scope of f,
// which is the distance between the numbers of a row in a table.
func (m *Model) Inner(f *Factor) int {
	n := 1
	for _, v := range f.Scope[f.Child+1:] {
		n *= m.Card(v)
	}
	return n
}

// Table returns the values of f, row-major, if its distribution is a table, and otherwise nil and
// false. The slice is shared with the model.
func (f *Factor) Table() (values []float64, ok bool) {
	if d, ok := f.Dist.(*Table); ok {
		return d.Values, true
	}
	return nil, false
}

// Circuit returns the distribution of f if it is a circuit, and nil otherwise.
func (f *Factor) Circuit() *Circuit {
	d, _ := f.Dist.(*Circuit)
	return d
}

// Tabulate returns the values of f for all joint states of its scope, row-major. The slice is
// shared with the model if f is a table. It is an error if there are more than limit values, or if
// one exceeds float64, as a product of a circuit may.
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
		if math.IsInf(values[i], 1) || math.IsNaN(values[i]) {
			return nil, fmt.Errorf("%v: the value of the %s at a joint state exceeds float64 (%.2g); divide its numbers by a constant, which changes neither marginals nor best states",
				f.Pos, m.FactorName(f), math.MaxFloat64)
		}
		m.Next(f.Scope, state)
	}
	return values, nil
}

// Strides returns, for each variable of to, its stride in a row-major table over from, or 0 if from
// lacks it.
func (m *Model) Strides(from, to []VarID) []int {
	stride := map[VarID]int{}
	n := 1
	for i := len(from) - 1; i >= 0; i-- {
		stride[from[i]] = n
		n *= m.Card(from[i])
	}
	out := make([]int, len(to))
	for i, v := range to {
		out[i] = stride[v]
	}
	return out
}

// Rearrange converts a row-major table over from to one over to, which holds the same variables in
// any order, and others by which values do not change. The result is shared with values if from and
// to are equal.
func (m *Model) Rearrange(values []float64, from, to []VarID) []float64 {
	if slices.Equal(from, to) {
		return values
	}
	steps := m.Strides(from, to)
	size, _ := m.TableSize(to)
	out := make([]float64, size)
	index, at := make([]int, len(to)), 0
	for i := range out {
		out[i] = values[at]
		for axis := len(to) - 1; axis >= 0; axis-- {
			index[axis]++
			at += steps[axis]
			if index[axis] < m.Card(to[axis]) {
				break
			}
			at -= index[axis] * steps[axis]
			index[axis] = 0
		}
	}
	return out
}

// Next advances state to the next joint state of scope in row-major order and reports whether there
// was one. After the last it wraps around to the first.
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

// Matching returns the row-major indices in scope of the joint states that have the given states. A
// variable of a negative state may have any.
func (m *Model) Matching(scope []VarID, state []int) (list []int) {
	var free []VarID
	state = slices.Clone(state)
	for _, v := range scope {
		if state[v] < 0 {
			free, state[v] = append(free, v), 0
		}
	}
	for more := true; more; more = m.Next(free, state) {
		list = append(list, m.index(scope, -1, state))
	}
	return list
}

// SumsToOne reports whether each row of the CPD f is known to sum to one within RowsExact. It is
// known for tables, for deterministic CPDs and for Gaussian ones, in which rows integrate to one.
func (m *Model) SumsToOne(f *Factor) bool {
	d, ok := f.Dist.(summing)
	return ok && d.sumsToOne(m, f)
}
