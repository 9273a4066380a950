package model

import (
	"fmt"
	"slices"
)

// Condition returns the Markov network that m becomes when some variables are observed. state has
// one state per variable, negative if unobserved. The product of its factors equals m's at those
// states, not rescaled, so its partition function is m's with the evidence: P(e) for a Bayesian
// network. Variables keep their numbers; an observed one keeps its one state and occurs in no
// factor. Unchanged numbers are shared with m. m must have passed Check and must not be a
// dependency network. No new table may have more than limit values.
func (m *Model) Condition(state []int, limit int) (*Model, error) {
	out := &Model{Name: m.Name, Kind: Markov, File: m.File}
	for _, v := range m.Vars {
		w := *v
		if s := state[v.ID]; s >= 0 {
			w.Domain = Discrete{States: m.States(v.ID)[s : s+1]}
		}
		out.Vars = append(out.Vars, &w)
	}
	for _, f := range m.Factors {
		g, err := m.restrict(f, state, limit)
		if err != nil {
			return nil, err
		}
		out.Factors = append(out.Factors, g)
	}
	return out, nil
}

// restrict returns f as a potential over the unobserved variables of its scope.
func (m *Model) restrict(f *Factor, state []int, limit int) (*Factor, error) {
	known := func(v VarID) bool { return state[v] >= 0 }
	g := &Factor{Scope: slices.DeleteFunc(slices.Clone(f.Scope), known), Child: -1, Pos: f.Pos}
	if f.Child < 0 && len(g.Scope) == len(f.Scope) {
		g.Dist, g.RowPos = f.Dist, f.RowPos
		return g, nil
	}
	if d, ok := f.Dist.(restrictable); ok {
		if g.Dist = d.restrict(m, f, g.Scope, state); g.Dist != nil {
			if g.Dist == f.Dist {
				g.RowPos = f.RowPos
			}
			return g, nil
		}
	}
	n, ok := m.TableSize(g.Scope)
	if !ok || n > limit {
		return nil, fmt.Errorf("%v: the table of what the evidence leaves of the %s would have e^%.1f entries; the limit is %d",
			f.Pos, m.FactorName(f), m.LogTableSize(g.Scope), limit)
	}
	at := make([]int, len(m.Vars))
	for _, v := range f.Scope {
		at[v] = max(0, state[v])
	}
	values := make([]float64, n)
	for i := range values {
		values[i] = m.Value(f, at)
		m.Next(g.Scope, at)
	}
	g.Dist = &Table{values}
	return g, nil
}
