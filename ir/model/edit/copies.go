package edit

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// takeOver makes the copy w take the state of its original in the transition of m again. It returns
// the effects without those on that CPD.
func takeOver(m *model.Model, w model.VarID, effects []Effect) []Effect {
	t := m.Transition
	i := slices.IndexFunc(t.Factors, func(f *model.Factor) bool { return f.ChildVar() == w })
	t.Factors[i] = revised(t.Factors[i], t.Factors[i].Scope, model.Identity(m.Card(w)))
	of := m.FactorName(t.Factors[i]) + inTransition
	return slices.DeleteFunc(effects, func(e Effect) bool { return e.Of == of })
}
