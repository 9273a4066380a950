package data

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Set is a data set in memory, with a column for each variable. It does not change once it is made.
type Set struct {
	Vars []Var

	columns []States
	reals   [][]float64 // by variable: the values of a real one, whose states are 0 or Missing; nil of others, and nil where none is real
	weights []float64   // nil where all are 1
	rows    int
}

// States is a column: the number of a state by row, in one byte where there are at most 255 states, and in two otherwise. A missing
// one is the largest number of the type, which is no state. It is for loops that cannot call a method for each row; At is for others.
type States struct {
	Bytes []uint8
	Words []uint16 // where Bytes is nil
}

// The numbers that stand for a missing state.
const (
	MissingByte = math.MaxUint8
	MissingWord = math.MaxUint16
)

// New makes a set of rows that hold, by variable, a state or Missing. weights are those of the rows; nil is all 1.
func New(vars []Var, rows [][]int, weights []float64) (*Set, error) {
	for _, x := range vars {
		if x.Real {
			return nil, fmt.Errorf("variable %q is real-valued, and rows hold states alone", x.Name)
		}
	}
	return newSet(vars, rows, weights)
}

// NewReal is New with real variables, of which rows hold the value. What is missing is NaN.
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

// Len is the number of rows.
func (s *Set) Len() int { return s.rows }

// Column gives the states of a variable by row; it is not to be changed. Of a real variable the state is 0, or missing.
func (s *Set) Column(v int) States { return s.columns[v] }

// Real gives the values of a real variable by row, which mean nothing where its state is missing, and nil of others; it is not to be changed.
func (s *Set) Real(v int) []float64 {
	if s.reals == nil {
		return nil
	}
	return s.reals[v]
}

// Needs lists the traits of data that not every learner takes: a real variable.
func (s *Set) Needs() []model.Need {
	for _, v := range s.Vars {
		if v.Real {
			return []model.Need{model.NeedReals(v.Name)}
		}
	}
	return nil
}

// Weight is the weight of a row.
func (s *Set) Weight(row int) float64 {
	if s.weights == nil {
		return 1
	}
	return s.weights[row]
}

// Weights gives all weights, and nil where all are 1; it is not to be changed.
func (s *Set) Weights() []float64 { return s.weights }

// Reweighted is the set with other weights, one a row.
func (s *Set) Reweighted(weights []float64) (*Set, error) {
	if len(weights) != s.rows {
		return nil, fmt.Errorf("there are %d weights for %d rows", len(weights), s.rows)
	}
	other := *s
	other.weights = slices.Clone(weights)
	return &other, nil
}

// Row puts the state of each variable in a row to states, Missing where it has none.
func (s *Set) Row(row int, states []int) {
	for v := range s.columns {
		states[v] = s.columns[v].At(row)
	}
}

// At is the state in a row, or Missing.
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

// makeStates gives a column of no rows with room for some; wide ones hold more than 255 states.
func makeStates(wide bool, room int) States {
	if wide {
		return States{Words: make([]uint16, 0, room)}
	}
	return States{Bytes: make([]uint8, 0, room)}
}

func (c *States) wide() bool { return c.Bytes == nil }

// add appends a state or Missing, for which there is room.
func (c *States) add(state int) {
	if c.wide() {
		c.Words = append(c.Words, uint16(state)) // Missing, which is -1, becomes MissingWord
	} else {
		c.Bytes = append(c.Bytes, uint8(state))
	}
}

// regrow copies the column to one with the given room, wide where it was or has to be.
func (c *States) regrow(rows int, wide bool, room int) {
	grown := makeStates(wide, room)
	if wide && !c.wide() {
		for i := range rows {
			grown.add(c.At(i))
		}
	} else {
		grown.Bytes, grown.Words = append(grown.Bytes, c.Bytes...), append(grown.Words, c.Words...)
	}
	*c = grown
}

// renumber puts rank[k] for state k.
func (c *States) renumber(rank []int) {
	for i, x := range c.Bytes {
		if x != MissingByte {
			c.Bytes[i] = uint8(rank[x])
		}
	}
	for i, x := range c.Words {
		if x != MissingWord {
			c.Words[i] = uint16(rank[x])
		}
	}
}

// Merged gives the set in which equal rows are one, with the sum of their weights, in the order in which they appear first.
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
