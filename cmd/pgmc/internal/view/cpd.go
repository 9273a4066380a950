package view

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cpt"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/ir/model"
)

// mostListed is the largest number of rows of a CPD or potential that is printed.
const mostListed = 200

// numbersText returns the numbers of a factor below an empty line: a table, or equations, or a
// decision tree. It returns "" for the kinds that cannot be listed.
func numbersText(m *model.Model, f *model.Factor) string {
	l := m.List(f, mostListed)
	if l == nil {
		return ""
	}
	text := "\n"
	if l.Heads != nil {
		t := &table.Table{}
		t.Add(slices.Clone(l.Heads)...)
		for _, row := range l.Rows {
			t.Add(row...)
		}
		text += t.String()
	}
	for _, line := range l.Lines {
		rest := strings.TrimLeft(line, " ")
		text += line[:len(line)-len(rest)] + table.Printable(rest) + "\n"
	}
	if l.More > 0 {
		text += fmt.Sprintf("… and %s more; pgmc convert MODEL - --to json prints all\n", table.Thousands(l.More))
	}
	return text
}

// isCSV reports whether the name of an output is one of a CSV file.
func isCSV(path string) bool { return strings.EqualFold(filepath.Ext(path), ".csv") }

// writeCPD writes the CPD of the variable, or the utility, of --var as CSV.
func writeCPD(ctx context.Context, a *cli.App, args []string, f *Options) error {
	switch {
	case args[0] != "model" || len(f.Vars) != 1:
		return cli.Usagef("%s: a CSV file has one CPD; want show model with one --var", f.Output)
	case a.JSON:
		return cli.Usagef("%s: a CSV file is no JSON; leave out --json", f.Output)
	}
	if err := f.check(args[0], false); err != nil {
		return err
	}
	m, err := loadNamed(ctx, a, args[1], f)
	if err == nil {
		m, err = unrolled(m)
	}
	if err != nil {
		return err
	}
	return toFile(ctx, a, f.Output, func() error {
		if err := writeNamed(a, m, f.Vars[0]); err != nil {
			return fmt.Errorf("%s: %w", args[1], err)
		}
		return nil
	})
}

// writeNamed writes the CPD of the variable with a name, or the utility with it.
func writeNamed(a *cli.App, m *model.Model, name string) error {
	if _, ok := m.VarByName(name); !ok && m.Diagram != nil {
		for _, u := range m.Diagram.Utilities {
			if u.Name == name {
				return cpt.WriteUtility(a.Stdout, m, u)
			}
		}
	}
	vars, err := (&modelView{m: m}).variables([]string{name})
	if err != nil {
		return err
	}
	cpd := m.CPD(vars[0])
	if cpd == nil {
		return fmt.Errorf("there is no CPD of %q to write as CSV", name)
	}
	return cpt.Write(a.Stdout, m, cpd, a.MaxTable)
}

// tied returns the variables with CPDs that share their numbers with x's.
func (v *modelView) tied(x model.VarID) (others []model.VarID) {
	for _, group := range v.m.Tied {
		if slices.Contains(group, x) {
			others = append(others, slices.DeleteFunc(slices.Clone(group), func(y model.VarID) bool { return y == x })...)
		}
	}
	return others
}
