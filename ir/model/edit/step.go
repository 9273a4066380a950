package edit

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// InStep changes the transition of m, a template of a sequence. The function change gets the
// network of a step, as [model.Model.Step] returns it, in which every variable has a copy in the
// slice before, and returns it with other CPDs. The transition keeps the copies that a CPD names.
func InStep(m *model.Model, change func(step *model.Model) (*model.Model, []Effect, error)) (*model.Model, []Effect, error) {
	out, size := copyOf(m), model.VarID(len(m.Vars))
	t := out.Transition
	for _, v := range m.Vars {
		if !slices.Contains(t.Before, v.ID) {
			t.Before = append(t.Before, v.ID)
		}
	}
	effects, err := inStep(out, func(step *model.Model) ([]Effect, error) {
		changed, effects, err := change(step)
		if err == nil {
			*step = *changed
		}
		return effects, err
	})
	if err != nil {
		return nil, nil, err
	}
	var before, at []model.VarID // at has the new number of each copy
	for i, v := range t.Before {
		named := func(f *model.Factor) bool { return slices.Contains(f.Scope, size+model.VarID(i)) }
		at = append(at, size+model.VarID(len(before)))
		if slices.ContainsFunc(t.Factors, named) {
			before = append(before, v)
		}
	}
	t.Before = before
	t.Factors = renumbered(t.Factors, func(v model.VarID) model.VarID {
		if v >= size {
			return at[v-size]
		}
		return v
	})
	return checked(out, effects)
}

// inStep calls change with the network of a step of m, and takes over its CPDs and ties.
func inStep(m *model.Model, change func(step *model.Model) ([]Effect, error)) ([]Effect, error) {
	step := copyOf(m.Step())
	effects, err := change(step)
	m.Transition.Factors, m.Transition.Tied = step.Factors, step.Tied
	for i := range effects {
		effects[i].Of += " in the transition"
	}
	return effects, err
}
