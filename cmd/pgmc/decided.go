package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/decision"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
)

// decided returns m, in which decisions follow the strategy of a flag, for a question or a batch.
func (a *app) decided(ctx context.Context, m *model.Model, q *query, f *queryFlags) (*model.Model, error) {
	policy, err := model.ParseRows(f.Rows.Value)
	if err != nil {
		return nil, cli.UsageError{Err: err}
	}
	m, err = decision.Follow(ctx, a.App, q.path, m, q.known, policy, f.strategy)
	if err != nil || f.batch != "" {
		return m, err
	}
	return withoutIdle(m, q.known, &q.want, policy)
}

// decidedDraws returns m, in which decisions follow a strategy, for draws.
func (a *app) decidedDraws(ctx context.Context, path string, m *model.Model, given infer.Evidence, policy model.Rows, strategy string) (*model.Model, error) {
	known, err := infer.Resolve(m, given)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if m, err = decision.Follow(ctx, a.App, path, m, known, policy, strategy); err != nil {
		return nil, err
	}
	return withoutUseless(m, given, policy)
}

// withoutIdle returns m with arbitrary choices of the open decisions that the answers to a question
// do not depend on: those that the evidence d-separates from all that is asked. It looks at no
// question with likelihoods, nor about whole completions.
func withoutIdle(m *model.Model, known *infer.Findings, want *rows.Wanted, policy model.Rows) (*model.Model, error) {
	soft := slices.ContainsFunc(known.Soft, func(l []float64) bool { return l != nil }) || known.Jeffrey != nil
	if m.Diagram == nil || m.Kind != model.Bayes || soft || want.MPE || want.KMPE > 0 || want.MaxMarginals != nil || want.MaxJoint != nil {
		return m, nil
	}
	var observed, targets []model.VarID
	for v, s := range known.State {
		if s != infer.Missing {
			observed = append(observed, model.VarID(v))
		}
	}
	vars := rows.Observable(m)
	for i, yes := range want.Marginals {
		if yes {
			targets = append(targets, vars[i])
		}
	}
	for _, list := range slices.Concat(want.Joint, want.Mixture, []rows.Joint{{Vars: want.MAP}}) {
		for _, i := range list.Vars {
			targets = append(targets, vars[i])
		}
	}
	g := model.NewGraph(m)
	var cpds []*model.Factor
	for _, d := range m.Diagram.Decisions {
		reached := func(v model.VarID) bool {
			return v == d.Var || !slices.Contains(observed, v) && g.ActiveTrail(d.Var, v, observed) != nil
		}
		_, weighs := g.Opener(d.Var, observed)
		if known.State[d.Var] == infer.Missing && !slices.ContainsFunc(targets, reached) && !(want.LogP && weighs) {
			cpds = append(cpds, arbitrary(m, d))
		}
	}
	return fixed(m, cpds, policy)
}

// fixed returns m with CPDs of decisions. Rows of m that other choices reach are checked before.
func fixed(m *model.Model, cpds []*model.Factor, policy model.Rows) (*model.Model, error) {
	if len(cpds) > 0 {
		if _, list := m.NormalizeRows(policy); list.HasErrors() {
			return nil, list.Err()
		}
	}
	return m.Follow(cpds...), nil
}

// arbitrary returns a CPD of a decision without parents.
func arbitrary(m *model.Model, d *model.Decision) *model.Factor {
	values := make([]float64, m.Card(d.Var))
	values[0] = 1
	return &model.Factor{Scope: []model.VarID{d.Var}, Dist: &model.Table{Values: values}, Pos: d.Pos}
}

// withoutUseless returns m with the decisions that have no children and no evidence as latent
// variables, which draws leave out.
func withoutUseless(m *model.Model, known infer.Evidence, policy model.Rows) (*model.Model, error) {
	if m.Diagram == nil || m.Kind != model.Bayes {
		return m, nil
	}
	g := model.NewGraph(m)
	var cpds []*model.Factor
	for _, d := range m.Diagram.Decisions {
		if _, observed := known[m.Vars[d.Var].Name]; !observed && len(g.Children[d.Var]) == 0 {
			cpds = append(cpds, arbitrary(m, d))
		}
	}
	m, err := fixed(m, cpds, policy)
	if err != nil {
		return nil, err
	}
	for _, f := range cpds {
		m.Vars[f.ChildVar()].Latent = true
	}
	return m, nil
}
