package rate

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// Translation converts rows of one model to rows of another with the same variables and other
// orders of variables and states. Nil leaves rows as they are.
type Translation []translated

// translated holds, for a variable of the other model, which variable of the first it is, and by
// state of that one, its own state; nil for a real variable.
type translated struct {
	from   int
	states []int
}

// Row returns the row of the other model.
func (t Translation) Row(row []model.Value) []model.Value {
	if t == nil {
		return row
	}
	out := make([]model.Value, len(t))
	for v, x := range t {
		if out[v] = row[x.from]; x.states != nil {
			out[v].State = x.states[out[v].State]
		}
	}
	return out
}

// Translate matches the variables and states of two models by their names; fromName and toName name
// the models in errors. It returns an error if one model has a variable or state that the other
// lacks.
func Translate(fromName string, from *model.Model, toName string, to *model.Model) (Translation, error) {
	vars, others := data.VarsOf(from), data.VarsOf(to)
	var t Translation
	for _, u := range others {
		at := slices.IndexFunc(vars, func(v data.Var) bool { return v.Name == u.Name })
		if at < 0 {
			return nil, fmt.Errorf("%s: the model has no variable %q, which %s has; want the same variables", fromName, u.Name, toName)
		}
		x := translated{from: at}
		if u.Real != vars[at].Real {
			return nil, fmt.Errorf("%s: %q has states in one of the models, and is real-valued in the other, %s; want the same", fromName, u.Name, toName)
		}
		for _, s := range vars[at].States {
			k := slices.Index(u.States, s)
			if k < 0 || len(u.States) != len(vars[at].States) {
				return nil, fmt.Errorf("%s: the states of %q are %q, and in %s %q; want the same", fromName, u.Name, vars[at].States, toName, u.States)
			}
			x.states = append(x.states, k)
		}
		t = append(t, x)
	}
	if len(vars) > len(others) {
		at := slices.IndexFunc(vars, func(v data.Var) bool {
			return !slices.ContainsFunc(others, func(u data.Var) bool { return u.Name == v.Name })
		})
		return nil, fmt.Errorf("%s: the model has no variable %q, which %s has; want the same variables", toName, vars[at].Name, fromName)
	}
	return t, nil
}
