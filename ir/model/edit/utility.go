package edit

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// SetUtility sets a utility in the joint states of its parents that have the states of given.
func SetUtility(m *model.Model, utility int, given []State, value float64) (*model.Model, []Effect, error) {
	u := m.Diagram.Utilities[utility]
	for _, s := range given {
		if !slices.Contains(u.Scope, s.Var) {
			return nil, nil, fmt.Errorf("%s is no parent of utility %q; its parents: %s", name(m, s.Var), u.Name, names(m, u.Scope))
		}
	}
	if u.Function != nil {
		return nil, nil, fmt.Errorf("utility %q is a function of others; want one with numbers", u.Name)
	}
	w := *u
	w.Values = slices.Clone(u.Values)
	list := m.Matching(u.Scope, statesOf(m, given))
	for _, at := range list {
		w.Values[at] = value
	}
	out := copyOf(m)
	out.Diagram.Utilities[utility] = &w
	return checked(out, []Effect{{Of: utilityName(u), Text: counted(len(list), "number", "set")}})
}

// ReplaceUtility gives a utility other values, for each joint state of its parents, row-major.
func ReplaceUtility(m *model.Model, utility int, values []float64) (*model.Model, []Effect, error) {
	w := *m.Diagram.Utilities[utility]
	w.Values = values
	out := copyOf(m)
	out.Diagram.Utilities[utility] = &w
	return checked(out, []Effect{{Of: utilityName(&w), Text: "all numbers are replaced"}})
}

func utilityName(u *model.Utility) string { return fmt.Sprintf("utility %q", u.Name) }

// withoutUtilities takes v out of the utilities of m, which become means over its states.
func withoutUtilities(m *model.Model, v model.VarID, marginal []float64) (effects []Effect) {
	if m.Diagram == nil {
		return nil
	}
	by := "by its marginal"
	if marginal == nil {
		marginal, by = unknownMarginal(m, v), "by equal weights"
	}
	r := &recoding{m: m, v: v, card: m.Card(v), weights: marginal}
	for i, u := range m.Diagram.Utilities {
		if !slices.Contains(u.Scope, v) {
			continue
		}
		w := *u
		w.Values = r.rows(u.Values, u.Scope, []float64{0})
		w.Scope = slices.DeleteFunc(slices.Clone(u.Scope), func(x model.VarID) bool { return x == v })
		m.Diagram.Utilities[i] = &w
		effects = append(effects, Effect{Of: utilityName(u), Text: fmt.Sprintf("its numbers are means over the states of %s, %s", name(m, v), by)})
	}
	return effects
}
