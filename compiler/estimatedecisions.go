package compiler

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// estimateDecisions estimates the program of the other queries, if there are some, and of those
// about decisions.
func estimateDecisions(ctx context.Context, m *model.Model, opt Options, a *about) (*Estimation, error) {
	if err := a.check(m, &opt); err != nil {
		return nil, err
	}
	e := &Estimation{}
	if len(a.others) > 0 {
		other := opt
		other.Queries = a.others
		var err error
		if e, err = Estimate(ctx, m, other); err != nil {
			return nil, err
		}
	}
	normal, list := m.NormalizeRows(opt.Rows)
	if err := list.Err(); err != nil {
		return nil, err
	}
	for _, q := range a.single {
		networks, _, err := networksOf(ctx, normal, &opt, q)
		if err == nil {
			err = e.addNetworks(ctx, opt, q, networks...)
		}
		if err != nil {
			return nil, fmt.Errorf("query %q: %w", Specification(m, q), err)
		}
	}
	if a.policy || a.follow {
		if err := e.addStrategy(ctx, normal, opt, a); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// addStrategy adds the queries about the best strategy of m.
func (e *Estimation) addStrategy(ctx context.Context, m *model.Model, opt Options, a *about) error {
	x, err := bestOf(ctx, m, &opt)
	if err != nil {
		return fmt.Errorf("query %q: %w", a.first(), err)
	}
	if a.follow {
		if err := e.addFollow(ctx, opt, x); err != nil {
			return fmt.Errorf("query %q: %w", ir.Follow, err)
		}
	}
	if a.policy {
		p, err := policyOf(ctx, m, x)
		if err != nil {
			return fmt.Errorf("query %q: %w", ir.Policy, err)
		}
		e.Queries = append(e.Queries, method.QueryEstimate{Query: p.Query})
	}
	return nil
}

// addFollow adds the program of a query about what happens under a strategy.
func (e *Estimation) addFollow(ctx context.Context, opt Options, x *decide.Solution) error {
	f, err := followOf(ctx, x, opt.withDefaults().MaxTable)
	if err != nil {
		return err
	}
	if err := e.add(ctx, f.m, byItself(opt, f.query), f.query, true); err != nil {
		return err
	}
	for _, n := range f.moments {
		if n != nil {
			if err := e.add(ctx, n.Model, ofNetwork(opt, f.query.Name, n), f.query, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// addNetworks adds the program of a query about networks.
func (e *Estimation) addNetworks(ctx context.Context, opt Options, q *ir.Query, networks ...*decide.Network) error {
	for i, n := range networks {
		if err := e.add(ctx, n.Model, ofNetwork(opt, q.Name, n), q, i == 0); err != nil {
			return err
		}
	}
	return nil
}

// add adds a program for a part of a query, which may be the first part.
func (e *Estimation) add(ctx context.Context, m *model.Model, opt Options, q *ir.Query, first bool) error {
	opt = opt.withDefaults()
	part, err := estimate(ctx, m, &opt)
	if err != nil {
		return err
	}
	if first {
		e.Queries = append(e.Queries, method.QueryEstimate{Query: q})
	}
	of := &e.Queries[len(e.Queries)-1]
	of.Size = together(method.Estimate{Size: of.Size}, part.Estimate).Size
	queries := e.Queries
	e.Estimate = together(e.Estimate, part.Estimate)
	e.Queries, e.Orders = queries, append(e.Orders, part.Orders...)
	if e.of == nil {
		e.of = part.of
	}
	if e.tooMany == nil {
		e.tooMany = part.tooMany
	}
	return nil
}
