package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// RowWriter writes cells of rows that were read, and new values after them.
type RowWriter struct {
	data.Sink
	rows *rowfile.Reader
	vars []*data.Var // by column of rows: its variable, or nil
	kept []int       // columns of rows
	null bool        // the output has a value for missing ones
	row  int         // that was begun last, from 1
}

// NewRowWriter returns a writer of the kept columns of rows, of which b binds some to variables,
// and of further ones. If no column is kept, the number of the row stands before the further ones.
func (f *ResultFile) NewRowWriter(rows *rowfile.Reader, b *rowfile.Binding, vars []data.Var, kept []int, further []data.Output, header bool) (*RowWriter, error) {
	w := &RowWriter{rows: rows, vars: make([]*data.Var, len(rows.Columns)), kept: kept, null: f.Parquet()}
	for v, c := range b.Column {
		if c >= 0 {
			w.vars[c] = &vars[v]
		}
	}
	var columns []data.Output
	for _, i := range kept {
		c := rows.Columns[i]
		columns = append(columns, data.Output{Name: c.Name, Kind: kindOf(c.Type, w.vars[i])})
	}
	if kept == nil {
		columns = append(columns, data.Output{Name: "row", Kind: data.Integers})
	}
	for _, c := range further {
		if slices.ContainsFunc(columns, func(x data.Output) bool { return x.Name == c.Name }) {
			return nil, diag.Diagnostic{Pos: rows.Columns[0].Pos, Msg: fmt.Sprintf("there is a column %q already, the name of a new column; rename it", c.Name)}
		}
		columns = append(columns, c)
	}
	comma := byte(',')
	if rows.Format == rowfile.CSV {
		comma = byte(rows.Comma)
	}
	var err error
	w.Sink, err = f.Sink(comma, header, columns)
	return w, err
}

// kindOf returns what a column of a type holds, which may be one of a variable.
func kindOf(column string, x *data.Var) data.Kind {
	var states []string
	if x != nil {
		if x.Real {
			return data.Reals
		}
		if _, numbers := model.IntervalCuts(x.States); !numbers {
			states = x.States
		}
	}
	switch column {
	case "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32":
		if !slices.ContainsFunc(states, func(s string) bool { _, err := strconv.ParseInt(s, 10, 64); return err != nil }) {
			return data.Integers
		}
	case "float", "double":
		if !slices.ContainsFunc(states, func(s string) bool { _, err := strconv.ParseFloat(s, 64); return err != nil }) {
			return data.Reals
		}
	}
	return data.Texts
}

// Copy begins a row with the kept cells of one that was read.
func (w *RowWriter) Copy(cells []data.Cell) {
	w.row++
	for _, i := range w.kept {
		if c := &cells[i]; w.null && w.missing(c, w.vars[i]) {
			w.Missing()
		} else {
			w.Text(c.Text)
		}
	}
	if w.kept == nil {
		w.Text(strconv.Itoa(w.row))
	}
}

// missing reports whether a cell of a variable, or of none, is missing.
func (w *RowWriter) missing(c *data.Cell, x *data.Var) bool {
	return c.Unknown || w.rows.IsMissing(c) && (x == nil || !slices.Contains(x.States, c.Text))
}

// Probabilities writes probabilities with twelve significant digits, and those that exceed 1 by
// rounding errors as 1.
func (w *RowWriter) Probabilities(list []float64) {
	for _, p := range list {
		w.Number(rounded(min(p, 1)))
	}
}

// rounded rounds a probability to twelve significant digits.
func rounded(p float64) float64 {
	const least = 1e-10 // from which on the powers of ten below are exact
	if p < least {
		x, err := strconv.ParseFloat(strconv.FormatFloat(p, 'g', 12, 64), 64)
		if err != nil {
			return p
		}
		return x
	}
	scale := 1e12
	for bound := .1; p < bound; bound /= 10 {
		scale *= 10
	}
	return math.Round(p*scale) / scale
}

// Numbers writes numbers.
func (w *RowWriter) Numbers(list []float64) {
	for _, x := range list {
		w.Number(x + 0) // no "-0"
	}
}

// Empty writes n missing values.
func (w *RowWriter) Empty(n int) {
	for range n {
		w.Missing()
	}
}
