package model

// Do returns the Bayesian network m after an intervention that sets the variables of set to the
// given values, for all values of their parents. Each gets a CPD without parents that is certain of
// its value, so that evidence on it either agrees or is impossible: a table for a state, and a
// normal distribution of variance 0 for a real variable. m is not changed.
//
// Source: Pearl 2009, Causality, section 3.2: the mutilated graph.
func (m *Model) Do(set map[VarID]Value) *Model {
	out := *m
	out.Factors = make([]*Factor, len(m.Factors))
	for i, f := range m.Factors {
		out.Factors[i] = f
		v := f.ChildVar()
		x, isSet := set[v]
		if !isSet {
			continue
		}
		if m.IsReal(v) {
			out.Factors[i] = &Factor{Scope: []VarID{v}, Dist: &Gaussian{Mean: []float64{x.Real}, Var: []float64{0}}, Pos: f.Pos}
			continue
		}
		values := make([]float64, m.Card(v))
		values[x.State] = 1
		out.Factors[i] = &Factor{Scope: []VarID{v}, Dist: &Table{Values: values}, Pos: f.Pos}
	}
	return &out
}
