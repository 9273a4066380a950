package model

import "slices"

// Copies returns the latent variables of a template that hold v one slice ago, two slices ago and
// so on: each has the name for that, and takes in the transition the value that the one before it
// had in the slice before.
func (m *Model) Copies(v VarID) (list []VarID) {
	for from := v; m.Transition != nil; {
		w, ok := m.VarByName(NameAgo(m.Vars[v].Name, len(list)+1))
		if !ok || !w.Latent || !m.holds(w.ID, from) {
			break
		}
		list, from = append(list, w.ID), w.ID
	}
	return list
}

// Original returns the variable that w holds some slices ago, and how many, or w and 0.
func (m *Model) Original(w VarID) (v VarID, ago int) {
	if !m.Vars[w].Latent {
		return w, 0
	}
	for _, v := range m.Vars {
		if k := slices.Index(m.Copies(v.ID), w); k >= 0 {
			return v.ID, k + 1
		}
	}
	return w, 0
}

// holds reports whether w takes in the transition the value that v had in the slice before.
func (m *Model) holds(w, v VarID) bool {
	k := slices.Index(m.Transition.Before, v)
	f := m.Step().CPD(w)
	if k < 0 || f == nil || !slices.Equal(f.Parents(), []VarID{VarID(len(m.Vars) + k)}) || m.Card(v) != m.Card(w) {
		return false
	}
	if d, ok := f.Dist.(*Deterministic); ok {
		return slices.Equal(d.States, Identity(m.Card(v)).States)
	}
	d, ok := f.Dist.(*Gaussian)
	return ok && slices.Equal(d.ParameterRows(), []float64{0, 1, 0}) // mean, coefficient, variance
}

// Identity returns the CPD of a variable with n states that has the state of its parent.
func Identity(n int) *Deterministic {
	d := &Deterministic{}
	for s := range n {
		d.States = append(d.States, int32(s))
	}
	return d
}
