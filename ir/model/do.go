package model

// Do returns the Bayesian network m after an intervention that sets the variables of set to the
// given states, for all states of their parents. Each gets a CPD without parents that is certain of
// its state, so that evidence on it either agrees or is impossible. m is not changed.
//
// Source: Pearl 2009, Causality, section 3.2: the mutilated graph.
func (m *Model) Do(set map[VarID]int) *Model {
	out := *m
	out.Factors = make([]*Factor, len(m.Factors))
	for i, f := range m.Factors {
		out.Factors[i] = f
		v := f.ChildVar()
		state, isSet := set[v]
		if !isSet {
			continue
		}
		values := make([]float64, m.Card(v))
		values[state] = 1
		out.Factors[i] = &Factor{Scope: []VarID{v}, Dist: &Table{Values: values}, Pos: f.Pos}
	}
	return &out
}
