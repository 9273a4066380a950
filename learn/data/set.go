package data

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Set is a data set in memory, with a column for each variable. It is immutable.
type Set struct {
	Vars []Var

	columns []States
	reals   [][]float64 // by variable: the values of a real one, whose states are 0 or Missing, else nil; nil if none is real
	weights []float64   // nil if all are 1
	rows    int
	first   []int // the first row of each sequence; nil if rows are independent
	given   []int // of a canonical set: the place of each column in the set that it comes from; else nil

	remote *remote // the source of a set without rows in memory; else nil
	at     []int   // the number of each variable in the source
}

// DefaultMaxMem is the default of the memory, in bytes, that the rows of a set may take, or that a
// learner may take for its counts.
const DefaultMaxMem = 1 << 30

// Bytes returns the memory of the rows, in bytes.
func (s *Set) Bytes() int64 {
	n := 8 * cap(s.weights)
	for _, c := range s.columns {
		n += cap(c.Bytes) + 2*cap(c.Words)
	}
	for _, x := range s.reals {
		n += 8 * cap(x)
	}
	return int64(n)
}

// States is a column: the state number of each row, in one byte if there are at most 255 states,
// and in two otherwise. The largest number of the type stands for a missing state. Tight loops can
// read the slices; At is for all others.
type States struct {
	Bytes []uint8
	Words []uint16 // used if Bytes is nil
}

// The numbers for a missing state.
const (
	MissingByte = math.MaxUint8
	MissingWord = math.MaxUint16
)

// New returns a set of rows that hold, by variable, a state or Missing. The weights are the rows'
// weights; nil means all 1.
func New(vars []Var, rows [][]int, weights []float64) (*Set, error) {
	for _, x := range vars {
		if x.Real {
			return nil, fmt.Errorf("variable %q is real-valued, and rows hold states alone", x.Name)
		}
	}
	return newSet(vars, rows, weights)
}

// NewReal is like New for sets with real variables, for values in the rows. NaN means missing.
func NewReal(vars []Var, rows [][]float64, weights []float64) (*Set, error) {
	states, reals := make([][]int, len(rows)), make([][]float64, len(vars))
	for i, row := range rows {
		if len(row) != len(vars) {
			return nil, fmt.Errorf("row %d has %d values; want %d", i, len(row), len(vars))
		}
		states[i] = make([]int, len(row))
		for v, x := range row {
			switch {
			case math.IsNaN(x):
				states[i][v], x = Missing, 0
			case !vars[v].Real:
				states[i][v] = int(x)
			case math.Abs(x) > model.MaxReal:
				return nil, fmt.Errorf("row %d has the value %v of %q; want a size of at most %g", i, x, vars[v].Name, model.MaxReal)
			}
			if vars[v].Real {
				reals[v] = append(reals[v], x)
			}
		}
	}
	s, err := newSet(vars, states, weights)
	if err == nil {
		s.reals = reals
	}
	return s, err
}

func newSet(vars []Var, rows [][]int, weights []float64) (*Set, error) {
	if weights != nil && len(weights) != len(rows) {
		return nil, fmt.Errorf("there are %d weights for %d rows", len(weights), len(rows))
	}
	s := &Set{Vars: vars, rows: len(rows), weights: slices.Clone(weights)}
	for _, x := range vars {
		s.columns = append(s.columns, makeStates(len(x.States) > MissingByte, len(rows)))
	}
	for i, row := range rows {
		if len(row) != len(vars) {
			return nil, fmt.Errorf("row %d has %d states; want %d", i, len(row), len(vars))
		}
		for v, x := range row {
			if n := vars[v].card(); x < Missing || x >= min(n, MaxStates) {
				return nil, fmt.Errorf("row %d has state %d of %q, which has %d", i, x, vars[v].Name, n)
			}
			s.columns[v].add(x)
		}
	}
	return s, nil
}

// NewColumns returns a set of rows by column, which it takes over: the states of each variable, and
// in reals the values of a real one. reals may be nil if no variable is real, and weights if all
// are 1.
func NewColumns(vars []Var, rows int, columns []States, reals [][]float64, weights []float64) *Set {
	return &Set{Vars: vars, rows: rows, columns: columns, reals: reals, weights: weights}
}

// Len returns the number of rows.
func (s *Set) Len() int { return s.rows }

// Column returns the states of a variable by row. The caller must not change them. The state of a
// real variable is 0 or missing.
func (s *Set) Column(v int) States { return s.columns[v] }

// Real returns the values of a real variable by row, and nil for other variables. A value is
// undefined if its state is missing. The caller must not change them.
func (s *Set) Real(v int) []float64 {
	if s.reals == nil {
		return nil
	}
	return s.reals[v]
}

// Needs lists the features of the data that not every learner supports: sequences, and real
// variables, by themselves and beside discrete ones.
func (s *Set) Needs() (list []model.Need) {
	if s.Sequential() {
		list = append(list, model.NeedSlices())
	}
	if s.Counted() {
		list = append(list, model.NeedCounts())
	}
	i := slices.IndexFunc(s.Vars, func(v Var) bool { return v.Real })
	if i < 0 {
		return list
	}
	list = append(list, model.NeedReals(s.Vars[i].Name))
	if slices.ContainsFunc(s.Vars, func(v Var) bool { return !v.Real }) {
		list = append(list, model.NeedMixed(s.Vars[i].Name))
	}
	return list
}

// Weight returns the weight of a row.
func (s *Set) Weight(row int) float64 {
	if s.weights == nil {
		return 1
	}
	return s.weights[row]
}

// Weights returns all weights, or nil if all are 1. The caller must not change them.
func (s *Set) Weights() []float64 { return s.weights }

// Reweighted returns the set with other weights, one for each row, which is independent of the
// others.
func (s *Set) Reweighted(weights []float64) (*Set, error) {
	if len(weights) != s.rows {
		return nil, fmt.Errorf("there are %d weights for %d rows", len(weights), s.rows)
	}
	other := *s
	other.weights, other.first = slices.Clone(weights), nil
	return &other, nil
}

// Row stores the state of each variable in a row in states, or Missing.
func (s *Set) Row(row int, states []int) {
	for v := range s.columns {
		states[v] = s.columns[v].At(row)
	}
}

// Values stores the values of real variables in a row in values, zeros for others and for missing
// ones, and returns it.
func (s *Set) Values(row int, values []float64) []float64 {
	for v := range values {
		values[v] = 0
		if real := s.Real(v); real != nil && s.columns[v].At(row) != Missing {
			values[v] = real[row]
		}
	}
	return values
}

// At returns the state in a row, or Missing.
func (c *States) At(row int) int {
	if c.Bytes != nil {
		if x := c.Bytes[row]; x != MissingByte {
			return int(x)
		}
		return Missing
	}
	if x := c.Words[row]; x != MissingWord {
		return int(x)
	}
	return Missing
}

// makeStates returns an empty column with the given capacity. A wide one holds more than 255
// states.
func makeStates(wide bool, room int) States {
	if wide {
		return States{Words: make([]uint16, 0, room)}
	}
	return States{Bytes: make([]uint8, 0, room)}
}

func (c *States) wide() bool { return c.Bytes == nil }

// add appends a state or Missing, for which the column is wide enough.
func (c *States) add(state int) {
	if c.wide() {
		c.Words = append(c.Words, uint16(state)) // Missing is -1 and becomes MissingWord
	} else {
		c.Bytes = append(c.Bytes, uint8(state))
	}
}

// Merged returns the set with equal rows merged into one, with the sum of their weights, in the
// order of first appearance.
func (s *Set) Merged() *Set {
	first := map[string]int{}
	m := &Set{Vars: s.Vars, columns: make([]States, len(s.columns))}
	if s.reals != nil {
		m.reals = make([][]float64, len(s.reals))
	}
	for v := range m.columns {
		m.columns[v] = makeStates(s.columns[v].wide(), 0)
	}
	key := make([]byte, 0, 2*len(s.columns))
	for row := range s.rows {
		key = key[:0]
		for v := range s.columns {
			x := s.columns[v].At(row)
			key = append(key, byte(x), byte(x>>8))
			if real := s.Real(v); real != nil && x != Missing {
				key = binary.LittleEndian.AppendUint64(key, math.Float64bits(real[row]))
			}
		}
		if at, ok := first[string(key)]; ok {
			m.weights[at] += s.Weight(row)
			continue
		}
		first[string(key)] = m.rows
		m.rows++
		m.weights = append(m.weights, s.Weight(row))
		for v := range m.columns {
			m.columns[v].add(s.columns[v].At(row))
			if real := s.Real(v); real != nil {
				m.reals[v] = append(m.reals[v], real[row])
			}
		}
	}
	if m.rows == s.rows {
		m.weights = s.weights
	}
	return m
}
