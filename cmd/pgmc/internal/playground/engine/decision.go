package engine

import (
	"context"
	"errors"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
)

// mostTable is the most entries of a table of a solution: 64 MB.
const mostTable = 1 << 22

// decide answers a question about an influence diagram: the best strategy, and the posteriors under
// it.
func (e *Engine) decide(ctx context.Context, q *Question) (*Answer, error) {
	if e.m.Diagram.Asymmetry != nil {
		return nil, errors.New("the model is a decision analysis network, which the playground does not solve; pgmc decide does")
	}
	m, err := after(e.m, q.Do)
	if err != nil {
		return nil, err
	}
	given, err := e.evidence(q.Hard, q.Soft)
	if err != nil {
		return nil, err
	}
	f, err := infer.Resolve(m, given)
	if err != nil {
		return nil, err
	}
	likelihood, err := f.Likelihoods(m)
	if err != nil {
		return nil, err
	}
	x, err := decide.Solve(ctx, m, likelihood, decide.Options{Limited: q.Limited, MaxTable: mostTable})
	if err != nil {
		return nil, err
	}
	in, err := infer.New(ctx, m.Follow(x.Follow().Factors[len(m.Factors):]...), infer.Options{Queries: []string{ir.Marginals.String()}})
	if err != nil {
		return nil, err
	}
	out, err := e.answer(ctx, in, given, q)
	if err != nil {
		return nil, err
	}
	out.Strategy, err = e.strategy(ctx, x)
	return out, err
}

// decides reports whether the model is a diagram of one slice.
func (e *Engine) decides() bool { return e.m.Transition == nil && decide.Check(e.m) == nil }

// strategy describes a solution by names.
func (e *Engine) strategy(ctx context.Context, x *decide.Solution) (*Strategy, error) {
	out := &Strategy{Utility: x.Utility, Utilities: []Utility{}, Policies: []Policy{}}
	for i, u := range e.m.Diagram.Utilities {
		moments, err := x.MomentsOf(ctx, i)
		if err != nil {
			return nil, err
		}
		out.Utilities = append(out.Utilities, Utility{u.Name, moments.Mean})
	}
	for i := range x.Policies {
		all, err := x.Cases(ctx, i)
		if err != nil {
			return nil, err
		}
		p := Policy{Decision: e.m.Vars[all.Decision].Name, Known: e.names(all.Known), Options: e.m.Vars[all.Decision].Domain.Names(), Cases: []Case{}}
		p.More = max(0, len(all.List)-mostRows)
		for _, c := range all.List[:len(all.List)-p.More] {
			given := make([]string, len(c.Given))
			for k, s := range c.Given {
				given[k] = e.m.Vars[all.Known[k]].Domain.Names()[s]
			}
			p.Cases = append(p.Cases, Case{given, c.Probability, c.Utilities, c.Choice})
		}
		out.Policies = append(out.Policies, p)
	}
	return out, nil
}
