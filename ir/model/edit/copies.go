package edit

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// copies returns the latent variables of a template that hold v one slice ago, two slices ago and
// so on: each has the name for that, and takes in the transition the value that the one before it
// had in the slice before.
func copies(m *model.Model, v model.VarID) (list []model.VarID) {
	for from := v; m.Transition != nil; {
		w, ok := m.VarByName(model.NameAgo(m.Vars[v].Name, len(list)+1))
		if !ok || !w.Latent || !holds(m, w.ID, from) {
			break
		}
		list, from = append(list, w.ID), w.ID
	}
	return list
}

// holds reports whether w takes in the transition the value that v had in the slice before.
func holds(m *model.Model, w, v model.VarID) bool {
	k := slices.Index(m.Transition.Before, v)
	f := m.Step().CPD(w)
	if k < 0 || f == nil || !slices.Equal(f.Parents(), []model.VarID{model.VarID(len(m.Vars) + k)}) || m.Card(v) != m.Card(w) {
		return false
	}
	switch d := f.Dist.(type) {
	case *model.Deterministic:
		return slices.Equal(d.States, identity(m.Card(v)).States)
	case *model.Gaussian:
		return slices.Equal(d.ParameterRows(), []float64{0, 1, 0}) // mean, coefficient, variance
	}
	return false
}

// identity returns the CPD of a variable with n states that has the state of its parent.
func identity(n int) *model.Deterministic {
	d := &model.Deterministic{}
	for s := range n {
		d.States = append(d.States, int32(s))
	}
	return d
}

// takeOver makes the copy w take the state of its original in the transition of m again. It returns
// the effects without those on that CPD.
func takeOver(m *model.Model, w model.VarID, effects []Effect) []Effect {
	t := m.Transition
	i := slices.IndexFunc(t.Factors, func(f *model.Factor) bool { return f.ChildVar() == w })
	t.Factors[i] = revised(t.Factors[i], t.Factors[i].Scope, identity(m.Card(w)))
	of := m.FactorName(t.Factors[i]) + inTransition
	return slices.DeleteFunc(effects, func(e Effect) bool { return e.Of == of })
}
