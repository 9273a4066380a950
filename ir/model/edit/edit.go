package edit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Effect says what an operation did to the parameters of one CPD or utility.
type Effect struct {
	Of      string `json:"of"`                // as CPD of "dysp"
	Text    string `json:"text"`              // what was kept, as: rows are repeated for the states of "smoke"
	Uniform int    `json:"uniform,omitempty"` // the number of rows that became uniform
}

// String returns the effect as a line.
func (e Effect) String() string {
	text := e.Of + ": " + e.Text
	switch e.Uniform {
	case 0:
	case 1:
		text += "; 1 row is uniform"
	default:
		text += fmt.Sprintf("; %d rows are uniform", e.Uniform)
	}
	return text
}

// State is a state of a variable.
type State struct {
	Var   model.VarID
	State int
}

// copyOf returns a copy of m with lists of its own.
func copyOf(m *model.Model) *model.Model {
	out := *m
	out.Vars, out.Factors, out.Tied = slices.Clone(m.Vars), slices.Clone(m.Factors), slices.Clone(m.Tied)
	if t := m.Transition; t != nil {
		next := *t
		next.Before, next.Factors, next.Tied = slices.Clone(t.Before), slices.Clone(t.Factors), slices.Clone(t.Tied)
		next.Decisions, next.Utilities = slices.Clone(t.Decisions), slices.Clone(t.Utilities)
		out.Transition = &next
	}
	if d := m.Diagram; d != nil {
		own := *d
		own.Decisions, own.Utilities = slices.Clone(d.Decisions), slices.Clone(d.Utilities)
		if d.Asymmetry != nil {
			a := *d.Asymmetry
			a.Restrictions, a.Reveals, a.Observed = slices.Clone(a.Restrictions), slices.Clone(a.Reveals), slices.Clone(a.Observed)
			own.Asymmetry = &a
		}
		out.Diagram = &own
	}
	return &out
}

// checked returns m, or the first error that its check finds.
func checked(m *model.Model, effects []Effect) (*model.Model, []Effect, error) {
	if list := m.Check(); list.HasErrors() {
		return nil, nil, errors.New(list.Errors()[0].Msg)
	}
	return m, effects, nil
}

// cpd returns the position of the CPD of v in m.Factors.
func cpd(m *model.Model, v model.VarID) (int, error) {
	i := slices.IndexFunc(m.Factors, func(f *model.Factor) bool { return f.ChildVar() == v })
	switch {
	case i >= 0:
		return i, nil
	case m.Decides(v) != nil:
		return 0, fmt.Errorf("%q is a decision and has no CPD", m.Vars[v].Name)
	case m.Vars[v].Given:
		return 0, fmt.Errorf("%q is given and has no CPD", m.Vars[v].Name)
	}
	return 0, fmt.Errorf("a %v has no CPD of %q; want a network of CPDs", m.Kind, m.Vars[v].Name)
}

// revised returns f with another scope and distribution. Its child is the last variable of the
// scope, and it has no positions of rows and no counts.
func revised(f *model.Factor, scope []model.VarID, d model.Dist) *model.Factor {
	return &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: d, Pos: f.Pos}
}

// untie takes v out of its group of tied variables, and drops a group of one.
func untie(groups [][]model.VarID, v model.VarID) [][]model.VarID {
	var out [][]model.VarID
	for _, g := range groups {
		if slices.Contains(g, v) {
			g = slices.DeleteFunc(slices.Clone(g), func(u model.VarID) bool { return u == v })
		}
		if len(g) > 1 {
			out = append(out, g)
		}
	}
	return out
}

// name quotes the name of a variable.
func name(m *model.Model, v model.VarID) string { return strconv.Quote(m.Vars[v].Name) }

// names lists variables for messages.
func names(m *model.Model, vars []model.VarID) string {
	if len(vars) == 0 {
		return "none"
	}
	list := make([]string, len(vars))
	for i, v := range vars {
		list[i] = name(m, v)
	}
	return strings.Join(list, ", ")
}

// statesOf returns states by variable, negative of a variable that the list does not have.
func statesOf(m *model.Model, list []State) []int {
	state := slices.Repeat([]int{-1}, len(m.Vars))
	for _, s := range list {
		state[s.Var] = s.State
	}
	return state
}

// stateText writes states for messages: smoke=yes, lung=no.
func stateText(m *model.Model, list []State) string {
	parts := make([]string, len(list))
	for i, s := range list {
		parts[i] = m.Vars[s.Var].Name + "=" + m.States(s.Var)[s.State]
	}
	return strings.Join(parts, ", ")
}
