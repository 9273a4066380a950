package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// WarnColumns warns of columns that are no variables, with the nearest spelling, and of variables
// without a column, except names that need none, unless columns have no names and are matched by
// position. It warns of parts of a data set that do not have the column of a variable, or without
// variables any column.
func (a *App) WarnColumns(r *rowfile.Reader, vars []data.Var, except []string) {
	a.warnColumns(r, vars, except, false)
}

// WarnPassing is WarnColumns for a command that writes all columns. A column that is no variable
// passes through without a warning, unless its name is nearly a variable's.
func (a *App) WarnPassing(r *rowfile.Reader, vars []data.Var, except []string) {
	a.warnColumns(r, vars, except, true)
}

func (a *App) warnColumns(r *rowfile.Reader, vars []data.Var, except []string, pass bool) {
	var list diag.List
	pos := diag.Pos{File: r.Name()}
	known, free := map[string]bool{}, []string{}
	for _, v := range vars {
		known[v.Name] = true
		if !r.Has(v.Name) && !slices.Contains(except, v.Name) {
			free = append(free, v.Name)
		}
	}
	var further []string
	for _, c := range r.Columns {
		if !known[c.Name] && r.Further(c.Name) {
			further = append(further, c.Name)
			continue
		}
		if vars != nil && !known[c.Name] {
			continue
		}
		if parts := r.Lacking(c.Name); parts != nil {
			list.Warnf(pos, "column %q, which counts as unobserved there, is not in %s %s", c.Name, plural(len(parts), "the part", "the parts"), QuoteSome(parts))
		}
	}
	if further != nil && (vars == nil || pass) {
		list.Warnf(pos, "%s not in the first file, %s, and not read: %s", plural(len(further), "this column is", "these columns are"), r.Parts()[0].Name, QuoteSome(further))
	}
	if vars == nil || !r.Named() || len(free) == len(vars) {
		a.Warn(list.Warnings())
		return // and if no column is a variable, binding is an error
	}
	var others []string
	what := "is not read"
	if pass {
		what = "passes through"
	}
	for _, c := range r.Columns {
		if known[c.Name] || slices.Contains(except, c.Name) {
			continue
		}
		if near := diag.DidYouMean(c.Name, free); near != "" {
			list.Warnf(c.Pos, "column %q is no variable of the model, and %s%s", c.Name, what, near)
		} else {
			others = append(others, c.Name)
		}
	}
	if others != nil && !pass {
		list.Warnf(pos, "%s of the model, and not read: %s", plural(len(others), "this column is no variable", "these columns are no variables"), QuoteSome(others))
	}
	if len(free) > 0 {
		list.Warnf(pos, "there %s for %s, which %s as unobserved", plural(len(free), "is no column", "are no columns"), QuoteSome(free), plural(len(free), "counts", "count"))
	}
	a.Warn(list.Warnings())
}

// NoRows returns the error for a data file that has only a header.
func NoRows(path string) error {
	return diag.Diagnostic{Pos: diag.Pos{File: path}, Msg: "there are no rows; want some below the names of the columns"}
}

// QuoteSome lists names in quotes, the first ten of many.
func QuoteSome(names []string) string {
	const most = 10
	var parts []string
	for _, name := range names[:min(most, len(names))] {
		parts = append(parts, strconv.Quote(name))
	}
	if more := len(names) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, ", ")
}

// AtRow adds the position of a data row to err if sampling found no answer for the row. It returns
// other errors unchanged.
func AtRow(pos diag.Pos, err error) error {
	if errors.Is(err, pgmrt.ErrStart) || errors.Is(err, pgmrt.ErrWeights) {
		return diag.Diagnostic{Pos: pos, Msg: Text(err)}
	}
	return err
}
