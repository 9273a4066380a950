package model

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// tied checks the groups of Tied: variables of a network with CPDs of one shape, in one group only.
func (c *checker) tied() {
	m := c.m
	if len(m.Tied) == 0 {
		return
	}
	group, cpd := make([]bool, len(m.Vars)), make([]*Factor, len(m.Vars))
	for _, f := range m.Factors {
		cpd[f.ChildVar()] = f
	}
	for _, vars := range m.Tied {
		var first *Factor
		for _, v := range vars {
			switch {
			case v < 0 || int(v) >= len(m.Vars):
				c.Errorf(c.at(diag.Pos{}), "a tied group has the variable number %d; there are %d variables", v, len(m.Vars))
				return
			case group[v]:
				c.Errorf(c.at(m.Vars[v].Pos), "variable %q is tied twice; want it in one group, once", m.Vars[v].Name)
				return
			}
			group[v] = true
			f := cpd[v]
			switch {
			case f == nil:
				c.Errorf(c.at(m.Vars[v].Pos), "variable %q is tied and has no CPD; want one", m.Vars[v].Name)
				return
			case first == nil:
				first = f
			case !m.sameShape(first, f):
				c.Errorf(c.at(f.Pos), "%s is tied to the %s; want distributions of one kind over equally many parents with equally many states in the same order", m.FactorName(f), m.FactorName(first))
				return
			}
		}
	}
}

// sameShape reports whether two CPDs have the same kind and number of numbers, over variables with
// the same numbers of states.
func (m *Model) sameShape(f, g *Factor) bool {
	return f.Child == g.Child && f.Dist.Kind() == g.Dist.Kind() && f.Dist.Size() == g.Dist.Size() &&
		slices.EqualFunc(f.Scope, g.Scope, func(a, b VarID) bool { return m.Card(a) == m.Card(b) })
}
