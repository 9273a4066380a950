package predict

import (
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/learn/data"
)

// lineWriter writes the cells of rows that were read, and new values after them.
type lineWriter struct {
	data.Sink
	rows *data.Reader
	vars []*data.Var // by column of rows: its variable, or nil
	null bool        // the output has a value for missing ones
}

// newLineWriter returns a writer of the columns of rows, of which b binds some to variables, and of
// further ones.
func newLineWriter(out *cli.ResultFile, rows *data.Reader, b *data.Binding, vars []data.Var, further []data.Output, header bool) (*lineWriter, error) {
	w := &lineWriter{rows: rows, vars: make([]*data.Var, len(rows.Columns)), null: out.Parquet()}
	for v, c := range b.Column {
		if c >= 0 {
			w.vars[c] = &vars[v]
		}
	}
	var columns []data.Output
	for i, c := range rows.Columns {
		columns = append(columns, data.Output{Name: c.Name, Kind: kindOf(c.Type, w.vars[i])})
	}
	comma := byte(',')
	if rows.Format == data.CSV {
		comma = byte(rows.Comma)
	}
	var err error
	w.Sink, err = out.Sink(comma, header, append(columns, further...))
	return w, err
}

// kindOf returns what a column of a type holds, which may be one of a variable.
func kindOf(column string, x *data.Var) data.Kind {
	var states []string
	if x != nil {
		if x.Real {
			return data.Reals
		}
		states = x.States
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

// cells writes the cells of a row.
func (w *lineWriter) cells(rec *data.Record) {
	for i := range rec.Cells {
		if c := &rec.Cells[i]; w.null && w.missing(c, w.vars[i]) {
			w.Missing()
		} else {
			w.Text(c.Text)
		}
	}
}

// missing reports whether a cell of a variable, or of none, is missing.
func (w *lineWriter) missing(c *data.Cell, x *data.Var) bool {
	return c.Unknown || w.rows.IsMissing(c) && (x == nil || !slices.Contains(x.States, c.Text))
}

func (w *lineWriter) numbers(list []float64) {
	for _, x := range list {
		w.Number(x + 0) // no "-0"
	}
}

func (w *lineWriter) empty(n int) {
	for range n {
		w.Missing()
	}
}
