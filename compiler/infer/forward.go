package infer

import (
	"fmt"
	"iter"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Forward returns an endless sequence of independent rows from the distribution of a Bayesian
// network, drawn from its CPDs, parents before children. It serves networks that no exact method
// takes, such as those with softmax CPDs or functions. Given variables must be observed, and no
// others may be. A row has a state or a value for each variable that is not latent, and is valid
// until the next one. The sequence ends with the first error.
func Forward(m *model.Model, given Given, seed uint64) iter.Seq2[[]model.Value, error] {
	return func(yield func([]model.Value, error) bool) {
		f, err := Resolve(m, given)
		if err == nil {
			err = onlyGivens(m, f)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		state, x := make([]int, len(m.Vars)), make([]float64, len(m.Vars))
		for _, v := range m.Vars {
			if at, known := f.Observed(v); known {
				state[v.ID], x[v.ID] = at.State, at.Real
			}
		}
		r, order, seen := pgmrt.NewRand(seed), m.Topological(), newVariables(m).seen
		for row := make([]model.Value, len(seen)); ; {
			for _, v := range order {
				if m.Vars[v].Given {
					continue
				}
				if err := m.Draw(m.CPD(v), r, state, x); err != nil {
					yield(nil, err)
					return
				}
			}
			for i, v := range seen {
				row[i] = model.Value{State: state[v], Real: x[v]}
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// onlyGivens returns an error unless exactly the given variables of a Bayesian network are
// observed.
func onlyGivens(m *model.Model, f *Findings) error {
	if m.Kind != model.Bayes {
		return fmt.Errorf("the model is a %v; only the CPDs of a Bayesian network can be drawn from in turn", m.Kind)
	}
	for _, v := range m.Vars {
		_, known := f.Observed(v)
		switch {
		case f.Soft[v.ID] != nil || known && !v.Given:
			return fmt.Errorf("there is evidence on %q, and the CPDs are drawn from in turn, which allows evidence on given variables alone", v.Name)
		case v.Given && !known:
			return fmt.Errorf("variable %q is given and not observed; want a value", v.Name)
		}
	}
	return nil
}
