package cpt

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/model"
)

// sheet is the form of a CSV file: columns of names, which say what a row is about, and columns of
// numbers.
type sheet struct {
	keys    []string
	numbers []string
	rows    [][]string // the names in each row, in order
	// match returns the name in a row for a cell of column k, in the spelling of rows; ok is false
	// for a cell that is no such name. Nil takes the cell itself.
	match func(k int, cell string) (name string, ok bool)
}

// The columns of sheets besides names of variables and states.
const (
	columnMean    = "mean"
	columnVar     = "var"
	columnBias    = "bias"
	columnCause   = "cause"
	columnState   = "state"
	columnUtility = "utility"
	leak          = "(leak)"
)

// over returns a sheet with a row for each joint state of discrete variables.
func over(m *model.Model, vars []model.VarID, numbers ...string) *sheet {
	s := &sheet{numbers: numbers}
	for _, v := range vars {
		s.keys = append(s.keys, m.Vars[v].Name)
	}
	state := make([]int, len(m.Vars))
	for more := true; more; more = m.Next(vars, state) {
		row := make([]string, len(vars))
		for k, v := range vars {
			row[k] = m.States(v)[state[v]]
		}
		s.rows = append(s.rows, row)
	}
	s.match = func(k int, cell string) (string, bool) {
		x, ok := m.StateByName(vars[k], cell)
		if !ok {
			return "", false
		}
		return m.States(vars[k])[x], true
	}
	return s
}

// tableColumns has the columns of tableSheet without its rows, which may be many.
func tableColumns(m *model.Model, f *model.Factor) *sheet {
	s := &sheet{numbers: stateColumns(m, f.ChildVar())}
	for _, v := range f.Parents() {
		s.keys = append(s.keys, m.Vars[v].Name)
	}
	return s
}

// tableSheet is the form of a table of the CPD f.
func tableSheet(m *model.Model, f *model.Factor) *sheet {
	return over(m, f.Parents(), stateColumns(m, f.ChildVar())...)
}

// stateColumns are the columns of the states of v.
func stateColumns(m *model.Model, v model.VarID) []string {
	var list []string
	for _, s := range m.States(v) {
		list = append(list, m.Vars[v].Name+"="+s)
	}
	return list
}

// realSheet is the form of a Gaussian or softmax CPD of the scope of f.
func realSheet(m *model.Model, f *model.Factor) *sheet {
	discrete, real := m.SplitParents(f)
	var coefficients []string
	for _, v := range real {
		coefficients = append(coefficients, m.Vars[v].Name)
	}
	if m.IsReal(f.ChildVar()) {
		return over(m, discrete, append(append([]string{columnMean}, coefficients...), columnVar)...)
	}
	return over(m, append(discrete, f.ChildVar()), append([]string{columnBias}, coefficients...)...)
}

// causeSheet is the form of a noisy-max of the scope of f.
func causeSheet(m *model.Model, f *model.Factor) *sheet {
	s := &sheet{keys: []string{columnCause, columnState}, numbers: stateColumns(m, f.ChildVar()), rows: [][]string{{leak, ""}}}
	for _, p := range f.Parents() {
		for _, state := range m.States(p) {
			s.rows = append(s.rows, []string{m.Vars[p].Name, state})
		}
	}
	return s
}

// columns returns the names of all columns, or an error if two have the same name.
func (s *sheet) columns() ([]string, error) {
	list := slices.Concat(s.keys, s.numbers)
	for i, c := range list {
		if slices.Contains(list[:i], c) {
			return nil, fmt.Errorf("two columns would be called %q; rename a variable", c)
		}
	}
	return list, nil
}

// text names row number i: either=yes, bronc=no.
func (s *sheet) text(i int) string {
	text := ""
	for k, cell := range s.rows[i] {
		if k > 0 {
			text += ", "
		}
		text += s.keys[k] + "=" + cli.QuoteName(cell)
	}
	return text
}
