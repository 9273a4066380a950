package compiler

import (
	"errors"

	"github.com/pgmc-go/pgmc/compiler/internal/pass"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
)

// tabulate runs the signatures that program-lookup set apart for all their evidence, and enters the
// answers into the tables. Impossible evidence has a row of zeros.
func (b *build) tabulate() error {
	if b.signatures == nil {
		return nil
	}
	machine := eval.New(b.signatures, b.problem.Model)
	for i := range b.signatures.Entries {
		e := &b.signatures.Entries[i]
		values, err := answers(machine, b.problem.Model, e)
		if err != nil {
			return err
		}
		copy(pass.LookupTable(b.program, e.Query), values)
	}
	b.signatures = nil
	return nil
}

// answers runs e for all evidence, in row-major order.
func answers(machine *eval.Machine, m *model.Model, e *ir.Entry) ([]float64, error) {
	card := m.Card(e.Query.Targets[0])
	state := make([]int, len(m.Vars))
	var out []float64
	for {
		for _, v := range e.Query.Evidence {
			if err := machine.SetState(v, state[v]); err != nil {
				return nil, err
			}
		}
		switch err := machine.Run(e); {
		case errors.Is(err, eval.ErrImpossible):
			out = append(out, make([]float64, card)...)
		case err != nil:
			return nil, err
		default:
			out = append(out, machine.Posterior(0)...)
		}
		if !m.Next(e.Query.Evidence, state) {
			return out, nil
		}
	}
}
