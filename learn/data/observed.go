package data

import (
	"fmt"
	"slices"
)

// ObservedName returns the name of the observability variable of a variable.
func ObservedName(name string) string { return name + "_observed" }

// WithObserved returns the set with an observability variable (Koller and Friedman, definition
// 19.1) for each of some variables, after all others. Its state is yes in the rows that have a
// value of the variable, and otherwise no.
func (s *Set) WithObserved(vars []int) (*Set, error) {
	out := *s
	out.Vars, out.columns, out.given = slices.Clone(s.Vars), slices.Clone(s.columns), nil
	if s.reals != nil {
		out.reals = slices.Clone(s.reals)
	}
	for _, v := range vars {
		x := Var{Name: ObservedName(s.Vars[v].Name), States: []string{"no", "yes"}}
		if slices.ContainsFunc(out.Vars, func(y Var) bool { return y.Name == x.Name }) {
			return nil, fmt.Errorf("there is a variable %q already, which %q would have; want another name", x.Name, s.Vars[v].Name)
		}
		column := makeStates(false, s.rows)
		for row := range s.rows {
			state := 1
			if s.columns[v].At(row) == Missing {
				state = 0
			}
			column.add(state)
		}
		out.Vars, out.columns = append(out.Vars, x), append(out.columns, column)
		if out.reals != nil {
			out.reals = append(out.reals, nil)
		}
	}
	return &out, nil
}
