package infer

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Choice is the best option of a decision.
type Choice struct {
	Option    string    // a state of the decision
	Utilities []float64 // the mean utility of each option, by state
}

// Best returns the best option of a decision of an influence diagram now, given what is known: what
// is not is averaged over, and later decisions are taken as the diagram says, each with the best
// option. Decisions that lead to this one must be observed, and what depends on an open decision
// must not be.
func (e *Engine) Best(ctx context.Context, given Given, decision string) (*Choice, error) {
	v, err := e.vars.find(decision)
	if err != nil {
		return nil, err
	}
	m := e.vars.m
	if m.Decides(v) == nil {
		return nil, fmt.Errorf("variable %q is no decision of an influence diagram", decision)
	}
	_, machine, err := e.ask(ctx, given, &ir.Query{Kind: ir.Best, Targets: []model.VarID{v}})
	if err != nil {
		return nil, err
	}
	c := &Choice{Utilities: make([]float64, m.Card(v))}
	c.Option = m.States(v)[machine.BestOption(c.Utilities)]
	return c, nil
}
