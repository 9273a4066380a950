package convert

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// ground reads a model, with plates that have the objects of the tables of --skeleton if there are
// some. It returns the rows of --row too, or nil.
func ground(ctx context.Context, a *cli.App, in string, f *Options) (m *model.Model, values [][]string, err error) {
	if len(f.Skeleton) == 0 && (f.Row != "" || f.Parameters != "") {
		return nil, nil, cli.Usagef("--row and --parameters are for plates with objects; want --skeleton too")
	}
	var tables []*format.Table
	for _, path := range f.Skeleton {
		t, err := readTable(ctx, a, path, &f.Data)
		if err != nil {
			return nil, nil, err
		}
		tables = append(tables, t)
	}
	m, err = a.Load(ctx, in, f.From.Value, tables...)
	if err == nil && f.Parameters != "" {
		err = takeParameters(ctx, a, m, f.Parameters)
	}
	if err == nil && f.Row != "" {
		values, err = valuesOf(m, tables)
	}
	return m, values, err
}

// readTable reads a data file as texts. Missing values are empty.
func readTable(ctx context.Context, a *cli.App, path string, flags *cli.DataFlags) (*format.Table, error) {
	r, err := a.OpenData(ctx, path, flags, cli.Train)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	t := &format.Table{Name: path}
	for _, c := range r.Columns {
		t.Columns = append(t.Columns, c.Name)
	}
	for ctx.Err() == nil {
		rec, err := r.Next()
		if err == io.EOF {
			return t, nil
		}
		if r.Skip(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		row := make([]string, len(t.Columns))
		for i := range row {
			if !r.IsMissing(&rec.Cells[i]) {
				row[i] = strings.TrimSpace(rec.Cells[i].Text)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return nil, ctx.Err()
}

// valuesOf returns the names and the values of the variables that have some in the tables.
func valuesOf(m *model.Model, tables []*format.Table) ([][]string, error) {
	value := make([]string, len(m.Vars))
	for _, t := range tables {
		for k, row := range t.Vars {
			for c, v := range row {
				switch x := t.Rows[k][c]; {
				case v < 0 || x == "" || value[v] == x:
				case !m.IsReal(model.VarID(v)) && !slices.Contains(m.States(model.VarID(v)), x):
					return nil, fmt.Errorf("%s: row %d has the value %q of %q; want one of the states %q", t.Name, k+1, x, m.Vars[v].Name, m.States(model.VarID(v)))
				case value[v] != "":
					return nil, fmt.Errorf("%s: row %d has the value %q of %q; an earlier row has %q", t.Name, k+1, x, m.Vars[v].Name, value[v])
				default:
					value[v] = x
				}
			}
		}
	}
	var names, row []string
	for v, x := range value {
		if x != "" {
			names, row = append(names, m.Vars[v].Name), append(row, x)
		}
	}
	if row == nil {
		return nil, fmt.Errorf("%s: found no values of variables; want a column of one, or leave out --row", tables[0].Name)
	}
	return [][]string{names, row}, nil
}

// template returns the name that a variable of a plate has in the file.
func template(v *model.Var) string {
	name, _, _ := strings.Cut(v.Name, "[")
	return name
}

// takeParameters gives the CPDs of m the parameters of a network with the same plates and perhaps
// other objects. A variable keeps its parameters, with a warning, if they depend on the object.
func takeParameters(ctx context.Context, a *cli.App, m *model.Model, path string) error {
	from, err := a.Load(ctx, path, "")
	if err != nil {
		return err
	}
	cpds, own := map[string]*model.Factor{}, map[string]bool{}
	for _, f := range from.Factors {
		if f.Child >= 0 {
			name := template(from.Vars[f.ChildVar()])
			if cpds[name] == nil {
				cpds[name] = f
			}
			own[name] = own[name] || !reflect.DeepEqual(f.Dist, cpds[name].Dist)
		}
	}
	var list diag.List
	warned := map[string]bool{}
	for _, f := range m.Factors {
		if f.Child < 0 {
			return fmt.Errorf("%s: the %s is no CPD; want a Bayesian network", m.File, m.FactorName(f))
		}
		name := template(m.Vars[f.ChildVar()])
		g := cpds[name]
		switch {
		case g == nil || !slices.EqualFunc(f.Scope, g.Scope, func(v, w model.VarID) bool {
			return template(m.Vars[v]) == template(from.Vars[w]) && reflect.DeepEqual(m.Vars[v].Domain, from.Vars[w].Domain)
		}):
			return fmt.Errorf("%s: found no CPD of %q with the parents and states of %s", path, name, m.File)
		case own[name]:
			if !warned[name] {
				list.Warnf(diag.Pos{File: path}, "the parameters of %q depend on the object, and are not taken", name)
			}
			warned[name] = true
		default:
			f.Dist, f.Counts = g.Dist, nil
		}
	}
	a.Warn(list.Warnings())
	return nil
}
