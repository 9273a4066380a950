package decide

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// First stands for the first open decision, of those that matter.
const First model.VarID = -1

// Value returns by how much the maximum expected utility grows if vars are known before a decision,
// and by later ones: with a tolerance of risk, the certainty equivalent. First stands for the first
// open decision that anything connects to a variable. With limited memory the value is the
// difference of two results of the same search, and may be negative if they are local optima. It is
// an error if one of vars depends on the decision, or if that is not open. Variables of a decision
// analysis network are then always observed, and before must be First.
func Value(ctx context.Context, m *model.Model, likelihood [][]float64, vars []model.VarID, before model.VarID, o Options) (float64, error) {
	s, at, err := place(ctx, m, likelihood, before, o)
	if err != nil {
		return 0, err
	}
	for _, v := range vars {
		if d := s.barrier(v, s.near(v, at, before)); d != nil {
			return 0, fmt.Errorf("variable %q depends on decision %q, and cannot be known before it; want variables that it does not affect", m.Vars[v].Name, m.Vars[d.Var].Name)
		}
	}
	var informed *model.Model
	if m.Diagram.Asymmetry != nil {
		informed = observing(m, vars)
	} else {
		informed = s.informed(vars, func(v model.VarID) int { return s.near(v, at, before) }, o.Limited)
	}
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

// place returns the diagram, or what a network unfolds to, and the number of an open decision.
func place(ctx context.Context, m *model.Model, likelihood [][]float64, before model.VarID, o Options) (s *solver, at int, err error) {
	s, _, err = diagram(ctx, m, likelihood, o)
	switch {
	case err != nil:
		return nil, 0, err
	case before != First && m.Diagram != nil && m.Diagram.Asymmetry != nil:
		return nil, 0, diag.Errorf("decisions of a decision analysis network have no fixed order, and a variable that one does not affect is known from the outset; leave out %v", diag.Option{Name: "before", Value: m.Vars[before].Name})
	case len(s.open) == 0:
		return nil, 0, errors.New("there is no open decision before which something could be known; want one without evidence")
	case before != First:
		at = slices.IndexFunc(s.open, func(d *model.Decision) bool { return d.Var == before })
	}
	if at < 0 {
		var names []string
		for _, d := range s.open {
			names = append(names, strconv.Quote(s.m.Vars[d.Var].Name))
		}
		return nil, 0, fmt.Errorf("variable %q is no decision that is open; want %s", m.Vars[before].Name, strings.Join(names, ", "))
	}
	return s, at, nil
}

// near returns the number of the open decision before which v could be known: at or, before First,
// the first one that anything connects to v.
func (s *solver) near(v model.VarID, at int, before model.VarID) int {
	if before != First || s.m.Diagram.Asymmetry != nil {
		return at
	}
	from := connected(s.neighbours(), v)
	return max(0, slices.IndexFunc(s.open, func(d *model.Decision) bool { return from[d.Var] >= 0 }))
}

// barrier returns the decision because of which v cannot be known before open decision number at:
// that one or, in a network, any open one if v depends on it.
func (s *solver) barrier(v model.VarID, at int) *model.Decision {
	d := s.open[at]
	switch {
	case s.m.Diagram.Asymmetry != nil && s.isOpen(v):
		return s.m.Decides(v)
	case s.m.Diagram.Asymmetry != nil:
		return s.on[v]
	case v == d.Var || s.leads(d.Var, v):
		return d
	}
	return nil
}

// observing returns the decision analysis network in which vars are always observed.
func observing(m *model.Model, vars []model.VarID) *model.Model {
	out, d, a := *m, *m.Diagram, *m.Diagram.Asymmetry
	out.Diagram, d.Asymmetry = &d, &a
	a.Observed = slices.Clip(a.Observed)
	for _, v := range vars {
		if !slices.Contains(a.Observed, v) {
			a.Observed = append(a.Observed, v)
		}
	}
	a.Reveals = slices.DeleteFunc(slices.Clone(a.Reveals), func(r *model.Reveal) bool { return slices.Contains(vars, r.Var) })
	return &out
}

// informed returns the diagram in which open decisions with the numbers at know vars, and with
// limited memory later ones as well.
func (s *solver) informed(vars []model.VarID, at func(model.VarID) int, limited bool) *model.Model {
	out, own := *s.m, *s.m.Diagram
	out.Diagram, own.Decisions = &own, nil
	for _, d := range s.m.Diagram.Decisions {
		i, known := slices.Index(s.open, d), slices.Clip(d.Known)
		for _, v := range vars {
			if from := at(v); (i == from || i > from && limited) && v != d.Var && !slices.Contains(known, v) && !s.leads(d.Var, v) {
				known = append(known, v)
			}
		}
		d = d.Knowing(known)
		out.Diagram.Decisions = append(out.Diagram.Decisions, d)
	}
	return &out
}

// Unaffected returns the chance variables that no evidence is about and that do not depend on a
// decision, so that their value of information before it is defined.
func Unaffected(m *model.Model, likelihood [][]float64, before model.VarID) ([]model.VarID, error) {
	s, at, err := place(context.Background(), m, likelihood, before, Options{})
	if err != nil {
		return nil, err
	}
	var list []model.VarID
	for _, v := range m.Vars {
		observed := m.Diagram.Asymmetry != nil && slices.Contains(m.Diagram.Asymmetry.Observed, v.ID)
		if !v.Given && !v.Latent && !observed && likelihood[v.ID] == nil && s.barrier(v.ID, s.near(v.ID, at, before)) == nil {
			list = append(list, v.ID)
		}
	}
	return list, nil
}
