package view

import (
	"fmt"
	"slices"
	"strings"

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

// tied returns the variables with CPDs that share their numbers with x's.
func (v *modelView) tied(x model.VarID) (others []model.VarID) {
	for _, group := range v.m.Tied {
		if slices.Contains(group, x) {
			others = append(others, slices.DeleteFunc(slices.Clone(group), func(y model.VarID) bool { return y == x })...)
		}
	}
	return others
}
