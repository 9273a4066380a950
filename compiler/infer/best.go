package infer

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
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
	v, _, machine, err := e.askDecision(ctx, given, ir.Best, decision)
	if err != nil {
		return nil, err
	}
	c := &Choice{Utilities: make([]float64, e.vars.m.Card(v))}
	c.Option = e.vars.m.States(v)[machine.BestOption(c.Utilities)]
	return c, nil
}

// Worth is the value of information of a variable.
type Worth struct {
	Name  string
	Value float64
}

// Information returns, for each chance variable that does not depend on an open decision, by how
// much the mean utility grows if it is known before a decision, and by later ones. Evidence is that
// of [Engine.Best].
func (e *Engine) Information(ctx context.Context, given Given, decision string) ([]Worth, error) {
	_, p, machine, err := e.askDecision(ctx, given, ir.Information, decision)
	if err != nil {
		return nil, err
	}
	var list []Worth
	for i, v := range p.entry.Query.Targets[1:] {
		list = append(list, Worth{e.vars.m.Vars[v].Name, machine.Information(i)})
	}
	return list, nil
}

// Outcome is what happens if all decisions follow the best strategy.
type Outcome struct {
	Marginals
	Utilities []Moments // of each utility of the diagram, in its order
	Total     Moments   // of their sum
}

// Moments are the mean and the variance of a utility.
type Moments = pgmrt.Moments

// Follow returns the posteriors of all variables, and the moments of the utilities, if the
// decisions of an influence diagram follow the strategy that is best without evidence. A decision
// is then a variable like others: evidence about it is that it was seen, and not a choice of the
// caller's.
func (e *Engine) Follow(ctx context.Context, given Given) (*Outcome, error) {
	f, err := e.resolve(given)
	if err != nil {
		return nil, err
	}
	p, m, err := e.ask(ctx, f, &ir.Query{Kind: ir.Follow})
	if err != nil {
		return nil, err
	}
	out := &Outcome{Marginals: Marginals{List: e.distributions(p, m), LogProb: f.settle(m.LogP())}}
	for i := range p.entry.Utilities {
		out.Total = m.Moments(i)
		out.Utilities = append(out.Utilities, out.Total)
	}
	out.Utilities = out.Utilities[:len(out.Utilities)-1]
	return out, nil
}

// askDecision answers a query about one decision.
func (e *Engine) askDecision(ctx context.Context, given Given, kind ir.QueryKind, decision string) (model.VarID, *program, *eval.Machine, error) {
	v, err := e.vars.find(decision)
	if err != nil {
		return 0, nil, nil, err
	}
	if e.vars.m.Decides(v) == nil {
		return 0, nil, nil, fmt.Errorf("variable %q is no decision of an influence diagram", decision)
	}
	p, m, err := e.ask(ctx, given, &ir.Query{Kind: kind, Targets: []model.VarID{v}})
	return v, p, m, err
}
