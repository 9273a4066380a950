package edit

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// InStep changes the transition of m, a template of a sequence. The function change gets the
// network of a step, as [model.Model.Step] returns it, in which every variable has a copy in the
// slice before, and returns it with other CPDs, decisions and utilities. The transition keeps the
// copies that one of them names.
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
		at = append(at, size+model.VarID(len(before)))
		if mentions(t, size+model.VarID(i)) {
			before = append(before, v)
		}
	}
	t.Before = before
	numbering(func(v model.VarID) model.VarID {
		if v >= size {
			return at[v-size]
		}
		return v
	}).transition(t)
	return checked(out, effects)
}

// mentions reports whether a CPD, a decision or a utility of a transition names v.
func mentions(t *model.Transition, v model.VarID) bool {
	return slices.ContainsFunc(t.Factors, func(f *model.Factor) bool { return slices.Contains(f.Scope, v) }) ||
		slices.ContainsFunc(t.Decisions, func(d *model.Decision) bool { return slices.Contains(d.Known, v) }) ||
		slices.ContainsFunc(t.Utilities, func(u *model.Utility) bool { return slices.Contains(u.Scope, v) })
}

const inTransition = " in the transition" // after the name of a CPD or utility in an effect

// inStep calls change with the network of a step of m, and takes over its CPDs, ties, decisions and
// utilities.
func inStep(m *model.Model, change func(step *model.Model) ([]Effect, error)) ([]Effect, error) {
	step := copyOf(m.Step())
	effects, err := change(step)
	m.Transition.Factors, m.Transition.Tied = step.Factors, step.Tied
	if d := step.Diagram; d != nil {
		m.Transition.Decisions, m.Transition.Utilities = d.Decisions, d.Utilities
	}
	for i := range effects {
		effects[i].Of += inTransition
	}
	return effects, err
}

// throughout applies change to m and to a step of its transition, in which v is a variable of the
// slice before too. change sets the CPDs and utilities that have v, and may set v itself.
func throughout(m *model.Model, v model.VarID, change func(m *model.Model, v model.VarID) ([]Effect, error)) ([]Effect, error) {
	old := *m
	old.Vars = slices.Clone(m.Vars)
	effects, err := change(m, v)
	if err != nil || m.Transition == nil {
		return effects, err
	}
	more, err := inStep(&old, func(step *model.Model) ([]Effect, error) {
		effects, err := change(step, v)
		if k := slices.Index(old.Transition.Before, v); k >= 0 && err == nil {
			var more []Effect
			more, err = change(step, model.VarID(len(old.Vars)+k))
			effects = append(effects, more...)
		}
		return effects, err
	})
	return append(effects, more...), err
}

// each sets the CPDs of m that have v to those that change returns.
func each(m *model.Model, v model.VarID, change func(f *model.Factor) (*model.Factor, Effect, error)) (effects []Effect, err error) {
	for i, f := range m.Factors {
		if !slices.Contains(f.Scope, v) {
			continue
		}
		g, e, err := change(f)
		if err != nil {
			return nil, err
		}
		m.Factors[i], m.Tied = g, untie(m.Tied, f.ChildVar())
		effects = append(effects, e)
	}
	return effects, nil
}
