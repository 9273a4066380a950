package model

import "slices"

// Do returns the Bayesian network m after an intervention that sets the variables of set to the
// given values, for all values of their parents. Each gets a CPD without parents that is certain of
// its value, so that evidence on it either agrees or is impossible: a table for a state, and a
// normal distribution of variance 0 for a real variable. m is not changed.
//
// Source: Pearl 2009, Causality, section 3.2: the mutilated graph.
func (m *Model) Do(set map[VarID]Value) *Model {
	by := map[VarID]Dist{}
	for v, x := range set {
		by[v] = m.Certain(v, x)
	}
	return m.DoBy(by)
}

// DoBy is [Model.Do] for variables that get the given distributions, each without parents.
func (m *Model) DoBy(set map[VarID]Dist) *Model {
	out := *m
	out.Factors = slices.Clone(m.Factors)
	for i, f := range m.Factors {
		if d, isSet := set[f.ChildVar()]; isSet {
			out.Factors[i] = &Factor{Scope: []VarID{f.ChildVar()}, Dist: d, Pos: f.Pos}
		}
	}
	return &out
}

// Certain returns the distribution of v that is certain of a value.
func (m *Model) Certain(v VarID, x Value) Dist {
	if m.IsReal(v) {
		return &Gaussian{Mean: []float64{x.Real}, Var: []float64{0}}
	}
	values := make([]float64, m.Card(v))
	values[x.State] = 1
	return &Table{Values: values}
}
