package sql

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/sqltext"
)

// column returns the quoted name of the column of v.
func (w *writer) column(v model.VarID) string { return w.name(w.Model.Vars[v].Name) }

// cells returns the source of the first step: the keys and the cells of variables. A real cell is
// NULL if it is no value of a real variable. With w.numbers, a discrete cell is the number of a
// state, or NULL if it holds no state; otherwise it is a text or, with Coded, as it is.
func (w *writer) cells(vars []model.VarID) string {
	names := slices.Clone(w.Key)
	if w.Params != "" {
		names = append(names, paramColumns...)
	}
	var columns []string
	for _, v := range vars {
		names = append(names, w.Model.Vars[v].Name)
		columns = append(columns, as(w.cell(v), w.column(v)))
	}
	if err := w.Dialect.Distinct(names); w.err == nil && err != nil {
		w.err = fmt.Errorf("columns: %w", err)
	}
	if len(w.keys)+len(columns) == 0 {
		columns = []string{"1"}
	}
	return fmt.Sprintf("(SELECT %s\n FROM %s) AS t", w.list(columns), w.table)
}

// cell returns the expression of a cell of v, see cells.
func (w *writer) cell(v model.VarID) string {
	c := w.column(v)
	switch {
	case w.Model.IsReal(v):
		return fmt.Sprintf("CASE WHEN %s THEN CAST(%s AS %s) END", w.holds(v), c, w.Dialect.Real)
	case w.Coded && w.numbers:
		return fmt.Sprintf("CASE WHEN %s THEN CAST(%s AS %s) END", w.holds(v), c, w.Dialect.Int)
	case w.Coded:
		return c
	case !w.numbers:
		return w.asText(c)
	}
	b := &strings.Builder{}
	fmt.Fprintf(b, "CASE %s", w.asText(c))
	for s, name := range w.Model.States(v) {
		fmt.Fprintf(b, " WHEN %s THEN %d", w.text(name), s)
	}
	return b.String() + " END"
}

// asText returns a column as a text, so that enumerations, booleans and integers compare with names
// of states.
func (w *writer) asText(column string) string {
	return fmt.Sprintf("CAST(%s AS %s)", column, w.Dialect.String)
}

// holds returns the condition that the column of v holds a value of v.
func (w *writer) holds(v model.VarID) string {
	c := w.column(v)
	switch {
	case w.Model.IsReal(v): // NaN is no such number, nor an infinity
		bound := float64(model.MaxReal)
		in := fmt.Sprintf("CAST(%s AS %s) BETWEEN %s AND %s", c, w.Dialect.Real, w.Dialect.Number(-bound), w.Dialect.Number(bound))
		if w.Dialect.ID == "sqlite" { // which casts a text that is no number to 0
			in = fmt.Sprintf("typeof(%s) IN ('real', 'integer') AND %s", c, in)
		}
		return in
	case w.Coded:
		return fmt.Sprintf("%s BETWEEN 0 AND %d", c, w.Model.Card(v)-1)
	}
	return w.asText(c) + " IN (" + strings.Join(w.states(v), ", ") + ")"
}

// states returns the states of v as literals of the form of cells.
func (w *writer) states(v model.VarID) (list []string) {
	for s, name := range w.Model.States(v) {
		if w.Coded || w.numbers {
			list = append(list, strconv.Itoa(s))
		} else {
			list = append(list, w.text(name))
		}
	}
	return list
}

// Check returns the query of the cells that are no values of their variables. Its rows have a
// column, a value, NULL for a missing cell, and the number of such cells.
func (q *Query) Check() (string, error) {
	w, err := q.newWriter()
	if err != nil {
		return "", err
	}
	var parts []string
	for _, v := range q.Model.Observable() {
		value := w.asText(w.column(v))
		parts = append(parts, fmt.Sprintf("SELECT %s AS %s, %s AS %s, count(*) AS n FROM %s\n WHERE %s IS NULL OR NOT (%s) GROUP BY %s",
			w.text(q.Model.Vars[v].Name), w.name("column"), value, w.name("value"), w.table, w.column(v), w.holds(v), value))
	}
	if w.err != nil {
		return "", w.err
	}
	return strings.TrimSuffix(sqltext.Union(parts), "\n") + ";\n", nil
}
