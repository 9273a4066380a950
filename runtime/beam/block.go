package beam

import (
	"bytes"
	"math"
	"reflect"
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
)

// blockRows is the number of rows that an engine is asked about at once.
const blockRows = 8192

// block is an engine with consecutive rows of an element, by variable.
type block struct {
	model   *model
	hidden  []int // variables that are not read
	engine  reflect.Value
	columns reflect.Value // *Columns
	at      []cells       // by variable; empty without a column
	rows    int
	first   int64       // the number of the first row in the file, from 1
	weights []float64   // by row; nil if all are 1
	kept    []data.Cell // by row: the values of the columns to keep
	bad     []badCell   // what the rows have that the model does not
	skip    []bool      // by row: it is in bad
}

// cells points to the column of a variable, which is one of the slices.
type cells struct {
	bytes *[]uint8
	words *[]uint16
	reals *[]float64
}

// badCell says why a row has no answer.
type badCell struct {
	row            int
	column, reason string
}

// newBlock returns a block for an engine of its own.
func newBlock(m *model, hidden []int) *block {
	return &block{model: m, hidden: hidden, engine: m.create(), columns: reflect.New(m.columns), at: make([]cells, len(m.vars)), skip: make([]bool, blockRows)}
}

// bind makes room for the variables that have a column.
func (b *block) bind(column []int) {
	c := b.columns.Interface().(columns)
	for v := range b.at {
		x := &b.at[v]
		*x = cells{}
		absent := column[v] < 0 || slices.Contains(b.hidden, v)
		switch p := c.Column(b.model.index[v]).(type) {
		case *[]uint8:
			x.bytes = room(p, absent)
		case *[]uint16:
			x.words = room(p, absent)
		case *[]float64:
			x.reals = room(p, absent)
		}
	}
}

// room makes room in a column and returns it, or makes it nil and returns nil if it is absent.
func room[T any](column *[]T, absent bool) *[]T {
	if absent {
		*column = nil
		return nil
	}
	if cap(*column) < blockRows {
		*column = make([]T, blockRows)
	}
	return column
}

// has reports whether a variable has a column.
func (x *cells) has() bool { return x.bytes != nil || x.words != nil || x.reals != nil }

// resize sets the number of rows.
func (b *block) resize(rows int) {
	b.rows = rows
	b.columns.Elem().FieldByName("Rows").SetInt(int64(rows))
	for v := range b.at {
		switch x := &b.at[v]; {
		case x.bytes != nil:
			*x.bytes = (*x.bytes)[:rows]
		case x.words != nil:
			*x.words = (*x.words)[:rows]
		case x.reals != nil:
			*x.reals = (*x.reals)[:rows]
		}
	}
}

// begin removes all rows and makes room for as many as there may be.
func (b *block) begin(first int64) {
	b.first, b.weights, b.kept, b.bad = first, nil, b.kept[:0], b.bad[:0]
	clear(b.skip)
	b.resize(blockRows)
}

// reject marks a row as bad, for the first reason that there is.
func (b *block) reject(row int, column, reason string) {
	if b.skip[row] {
		return
	}
	b.bad = append(b.bad, badCell{row, column, reason})
	b.skip[row] = true
}

// weight returns the weight of a row.
func (b *block) weight(row int) float64 {
	if b.weights == nil {
		return 1
	}
	return b.weights[row]
}

// set sets the value of a variable in a row to a state, or to the value of a real one.
func (x *cells) set(row, state int, value float64) {
	switch {
	case x.bytes != nil:
		(*x.bytes)[row] = uint8(state + 1)
	case x.words != nil:
		(*x.words)[row] = uint16(state + 1)
	case x.reals != nil && state == data.Missing:
		(*x.reals)[row] = math.NaN()
	case x.reals != nil:
		(*x.reals)[row] = value
	}
}

// row sets states and values to the row, as [rowfile.Block.Row] does.
func (b *block) row(row int, states []int, values []float64) {
	for v := range b.at {
		states[v], values[v] = data.Missing, 0
		switch x := &b.at[v]; {
		case x.bytes != nil:
			states[v] = int((*x.bytes)[row]) - 1
		case x.words != nil:
			states[v] = int((*x.words)[row]) - 1
		case x.reals != nil && (*x.reals)[row] == (*x.reals)[row]:
			states[v], values[v] = 0, (*x.reals)[row]
		}
	}
}

// incomplete returns how many of the rows that are not bad miss a value of a variable that is read.
func (b *block) incomplete() (n int64) {
	misses := make([]bool, b.rows)
	for v := range b.at {
		if !slices.Contains(b.hidden, v) {
			b.at[v].misses(misses)
		}
	}
	for row, x := range misses {
		if x && !b.skip[row] {
			n++
		}
	}
	return n
}

// misses marks the rows in which the value is missing.
func (x *cells) misses(rows []bool) {
	switch {
	case x.bytes != nil && bytes.IndexByte(*x.bytes, 0) < 0: // by far the most columns
	case x.bytes != nil:
		for row, s := range *x.bytes {
			rows[row] = rows[row] || s == 0
		}
	case x.words != nil:
		for row, s := range *x.words {
			rows[row] = rows[row] || s == 0
		}
	case x.reals != nil:
		for row, s := range *x.reals {
			rows[row] = rows[row] || s != s
		}
	default:
		for row := range rows {
			rows[row] = true
		}
	}
}

// ask calls a method of the engine with the columns and another argument.
func (b *block) ask(method reflect.Method, out reflect.Value) error {
	err, _ := method.Func.Call([]reflect.Value{b.engine, b.columns, out})[0].Interface().(error)
	return err
}
