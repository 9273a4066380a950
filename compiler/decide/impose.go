package decide

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Impose returns the solution in which the open decisions follow the given policies, whatever their
// utility. It is an error if a decision has none, if one looks at a variable that the decision does
// not know, or if it has no choice in a case of positive probability.
func Impose(ctx context.Context, m *model.Model, likelihood [][]float64, policies []*Policy, o Options) (*Solution, error) {
	if m.Diagram != nil && m.Diagram.Asymmetry != nil {
		return nil, errors.New("policies are for influence diagrams; want the steps of a decision analysis network")
	}
	s, err := newSolver(ctx, m, likelihood, o)
	if err != nil {
		return nil, err
	}
	x := &Solution{solver: s}
	for _, d := range s.open {
		i := slices.IndexFunc(policies, func(p *Policy) bool { return p.Decision == d.Var })
		if i < 0 {
			return nil, fmt.Errorf("the strategy has no policy for the decision %q, which is open; want one, or evidence about it", m.Vars[d.Var].Name)
		}
		p := policies[i]
		for _, v := range p.Known {
			if !s.knows(d, v, o.Limited) {
				return nil, s.unknowable(d, v)
			}
		}
		x.Policies, x.tables, x.known = append(x.Policies, p), append(x.tables, s.table(p)), append(x.known, s.varying(p.Known))
	}
	if x.Utility, err = s.achieved(x.tables); err != nil {
		return nil, err
	}
	for i, p := range x.Policies {
		if err := x.covers(ctx, i, p); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// unknowable is the error of a policy of d that looks at v.
func (s *solver) unknowable(d *model.Decision, v model.VarID) error {
	return fmt.Errorf("the strategy lets the decision %q depend on %q, which is not known then; want only what is known", s.m.Vars[d.Var].Name, s.m.Vars[v].Name)
}

// knows reports whether v is known when d is taken.
func (s *solver) knows(d *model.Decision, v model.VarID, limited bool) bool {
	if slices.Contains(d.Known, v) {
		return true
	}
	return !limited && slices.ContainsFunc(s.m.Diagram.Decisions, func(e *model.Decision) bool {
		return e != d && (e.Var == v || slices.Contains(e.Known, v)) && s.leads(e.Var, d.Var)
	})
}

// covers returns an error if policy i has no choice in a case that can occur.
func (x *Solution) covers(ctx context.Context, i int, p *Policy) error {
	if !slices.Contains(p.Choice, -1) {
		return nil
	}
	m := x.solver.m
	c, err := x.cases(ctx, i, p.Known)
	if err != nil {
		return err
	}
	state := make([]int, len(m.Vars))
	for _, e := range c.List {
		where := ""
		for k, v := range p.Known {
			state[v] = e.Given[k]
			where += fmt.Sprintf(" %s=%s", m.Vars[v].Name, m.States(v)[state[v]])
		}
		if p.choice(m, state) < 0 {
			return fmt.Errorf("the strategy has no choice of %q in a case that can occur:%s; want one", m.Vars[p.Decision].Name, where)
		}
	}
	return nil
}

// Follow returns the diagram in which the open decisions are chance variables that follow the
// policies.
func (x *Solution) Follow() *model.Model {
	var cpds []*model.Factor
	for _, p := range x.Policies {
		t := x.solver.table(p)
		cpds = append(cpds, &model.Factor{Scope: t.scope, Child: len(p.Known), Dist: &model.Table{Values: t.values}})
	}
	return x.solver.m.Follow(cpds...)
}
