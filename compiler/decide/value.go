package decide

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// First stands for the first open decision.
const First model.VarID = -1

// Value returns by how much the maximum expected utility grows if vars are known before a decision,
// and by later ones: with a tolerance of risk, the certainty equivalent. With limited memory it is
// the difference of two results of the same search, and may be negative if they are local optima.
// It is an error if one of vars depends on the decision, or if that is not open.
func Value(ctx context.Context, m *model.Model, likelihood [][]float64, vars []model.VarID, before model.VarID, o Options) (float64, error) {
	if err := symmetric(m); err != nil {
		return 0, err
	}
	s, err := newSolver(ctx, m, likelihood, o)
	if err != nil {
		return 0, err
	}
	at, err := s.place(before)
	if err != nil {
		return 0, err
	}
	for _, v := range vars {
		if d := s.open[at].Var; v == d || s.leads(d, v) {
			return 0, fmt.Errorf("variable %q depends on decision %q, and cannot be known before it; want variables that it does not affect", m.Vars[v].Name, m.Vars[d].Name)
		}
	}
	informed := s.informed(vars, at, o.Limited)
	if list := informed.Check(); list.HasErrors() {
		return 0, list.Err()
	}
	without, err := Solve(ctx, m, likelihood, o)
	if err != nil {
		return 0, err
	}
	with, err := Solve(ctx, informed, likelihood, o)
	if err != nil {
		return 0, err
	}
	if o.Best && (without.Bound > without.Utility || with.Bound > with.Utility) {
		return 0, ctx.Err()
	}
	if o.Limited {
		return with.Utility - without.Utility, nil
	}
	return max(0, with.Utility-without.Utility), nil // no less than 0 but for rounding
}

// place returns the number of an open decision.
func (s *solver) place(before model.VarID) (int, error) {
	if len(s.open) == 0 {
		return 0, errors.New("there is no open decision before which something could be known; want one without evidence")
	}
	if before == First {
		return 0, nil
	}
	at := slices.IndexFunc(s.open, func(d *model.Decision) bool { return d.Var == before })
	if at < 0 {
		var names []string
		for _, d := range s.open {
			names = append(names, strconv.Quote(s.m.Vars[d.Var].Name))
		}
		return 0, fmt.Errorf("variable %q is no decision that is open; want %s", s.m.Vars[before].Name, strings.Join(names, ", "))
	}
	return at, nil
}

// informed returns the diagram in which open decision number at knows vars, and with limited memory
// later ones as well.
func (s *solver) informed(vars []model.VarID, at int, limited bool) *model.Model {
	out := *s.m
	out.Diagram = &model.Diagram{Utilities: s.m.Diagram.Utilities, Criteria: s.m.Diagram.Criteria}
	for _, d := range s.m.Diagram.Decisions {
		if i := slices.Index(s.open, d); i == at || i > at && limited {
			d = &model.Decision{Var: d.Var, Known: slices.Clone(d.Known), Pos: d.Pos}
			for _, v := range vars {
				if v != d.Var && !slices.Contains(d.Known, v) && !s.leads(d.Var, v) {
					d.Known = append(d.Known, v)
				}
			}
		}
		out.Diagram.Decisions = append(out.Diagram.Decisions, d)
	}
	return &out
}

// Unaffected returns the chance variables that no evidence is about and that do not depend on a
// decision, so that their value of information before it is defined.
func Unaffected(m *model.Model, likelihood [][]float64, before model.VarID) ([]model.VarID, error) {
	if err := symmetric(m); err != nil {
		return nil, err
	}
	s, err := newSolver(context.Background(), m, likelihood, Options{})
	if err != nil {
		return nil, err
	}
	at, err := s.place(before)
	if err != nil {
		return nil, err
	}
	var list []model.VarID
	for _, v := range m.Vars {
		if !v.Given && likelihood[v.ID] == nil && !s.leads(s.open[at].Var, v.ID) {
			list = append(list, v.ID)
		}
	}
	return list, nil
}
