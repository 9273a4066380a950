package edit

import "github.com/pgmc-go/pgmc/ir/model"

// numbering returns the new number of a variable, or a negative one to remove it.
type numbering func(model.VarID) model.VarID

// without returns the numbering that removes variables and closes the gaps.
func without(gone ...model.VarID) numbering {
	return func(v model.VarID) model.VarID {
		n := v
		for _, u := range gone {
			if u == v {
				return -1
			}
			if u < v {
				n--
			}
		}
		return n
	}
}

// list returns the new numbers of variables, without the removed ones.
func (number numbering) list(vars []model.VarID) []model.VarID {
	out := make([]model.VarID, 0, len(vars))
	for _, v := range vars {
		if n := number(v); n >= 0 {
			out = append(out, n)
		}
	}
	return out
}

// factors returns factors with scopes of other numbers.
func (number numbering) factors(list []*model.Factor) []*model.Factor {
	return kept(list, func(f *model.Factor) bool { f.Scope = number.list(f.Scope); return true })
}

// kept returns the elements of a list for which change reports true, changed.
func kept[T any](list []*T, change func(*T) bool) (out []*T) {
	for _, x := range list {
		if y := *x; change(&y) {
			out = append(out, &y)
		}
	}
	return out
}

// decisions returns decisions with other numbers, without those about removed variables.
func (number numbering) decisions(list []*model.Decision) []*model.Decision {
	return kept(list, func(x *model.Decision) bool {
		x.Var, x.Known = number(x.Var), number.list(x.Known)
		return x.Var >= 0
	})
}

// utilities returns utilities with scopes of other numbers.
func (number numbering) utilities(list []*model.Utility) []*model.Utility {
	return kept(list, func(u *model.Utility) bool { u.Scope = number.list(u.Scope); return true })
}

// transition renumbers what is over the variables of a step.
func (number numbering) transition(t *model.Transition) {
	t.Factors, t.Decisions, t.Utilities = number.factors(t.Factors), number.decisions(t.Decisions), number.utilities(t.Utilities)
}

// all renumbers m, in which no factor and no utility names a removed variable.
func (number numbering) all(m *model.Model) {
	m.Vars = kept(m.Vars, func(v *model.Var) bool { v.ID = number(v.ID); return v.ID >= 0 })
	m.Factors = number.factors(m.Factors)
	for i, g := range m.Tied {
		m.Tied[i] = number.list(g)
	}
	if t := m.Transition; t != nil {
		t.Before = number.list(t.Before)
		for i, g := range t.Tied {
			t.Tied[i] = number.list(g)
		}
		number.transition(t)
	}
	d := m.Diagram
	if d == nil {
		return
	}
	d.Decisions, d.Utilities = number.decisions(d.Decisions), number.utilities(d.Utilities)
	if a := d.Asymmetry; a != nil {
		a.Restrictions = kept(a.Restrictions, func(r *model.Restriction) bool {
			r.Parent, r.Child = number(r.Parent), number(r.Child)
			return r.Child >= 0
		})
		a.Reveals = kept(a.Reveals, func(r *model.Reveal) bool { r.By, r.Var = number(r.By), number(r.Var); return r.Var >= 0 })
		a.Observed = number.list(a.Observed)
	}
}
