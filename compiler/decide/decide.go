package decide

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Options of Solve and Value.
type Options struct {
	Limited  bool // a decision knows its parents alone, and nothing of what was known before
	Packaged bool // the strategy is for a package, so that errors do not advise Limited
	MaxTable int  // the most entries of a table; 0 is 1<<27

	// RiskTolerance R makes decisions maximise the mean of 1 - exp(-u/R) in place of the mean of
	// the utility u. Certainty equivalents, the utilities for sure that are as good, then take the
	// place of means. 0 is none.
	RiskTolerance float64

	// With limited memory:
	Start    []*Policy // where the search begins, in place of uniform policies; some decisions may have none
	Restarts int       // further starts, from random policies
	Seed     uint64    // of them
	Best     bool      // search for a best strategy, until ctx's deadline if that has one
}

// Solution holds the policies with the maximum expected utility.
type Solution struct {
	Utility  float64   // its mean, or with a tolerance of risk its certainty equivalent
	Bound    float64   // no policies have more: Utility if they are proven to be best, or with limited memory +Inf if nothing is proven
	Policies []*Policy // of the open decisions, in the order in which they are taken

	solver *solver      // with all variables
	tables []*potential // of Policies, over the known variables and the decision, which is last
	known  [][]model.VarID

	network *asymmetric // of a decision analysis network, which has no policies; the solver is of what it unfolds to
}

// Policy is the choice of a decision, given the known variables.
type Policy struct {
	Decision model.VarID
	Known    []model.VarID // the known variables on which the choice depends
	Choice   []int         // for each joint state of Known, row-major, a state of Decision; -1 for one that is impossible
}

// ErrImpossible is the error of evidence of probability zero.
var ErrImpossible = pgmrt.ErrImpossible

// ErrNoDecisions is the error of a model without decisions and utilities.
var ErrNoDecisions = errors.New("the model has no decisions and no utilities; want an influence diagram")

// ErrHorizon is the error of a template of a sequence without a number of slices.
var ErrHorizon = errors.New("the model is a template of a sequence without a horizon; want one, the number of its slices")

// errLimited is the error of limited memory in decision analysis networks.
var errLimited = diag.Errorf("the model is a decision analysis network, in which decisions know what was observed; leave out %v", diag.Option{Name: "limited"})

// maxSlices bounds the variables of all slices of a template.
const maxSlices = 1 << 22

// Check returns nil if m has decisions or utilities, and otherwise ErrNoDecisions, or why the
// file's are not read or not solved. A template needs a horizon.
func Check(m *model.Model) error {
	switch {
	case m.Diagram != nil && m.Transition != nil && m.Diagram.Horizon == 0:
		return ErrHorizon
	case m.Diagram != nil && m.Transition != nil && m.Diagram.Horizon > maxSlices/len(m.Vars):
		return fmt.Errorf("the horizon of %d slices makes more than %d variables; want a smaller one", m.Diagram.Horizon, maxSlices)
	case m.Diagram != nil:
		return nil
	case m.Unread != "":
		return errors.New(m.Unread + "; want an influence diagram")
	}
	return ErrNoDecisions
}

// Solve returns the best policies of the diagram m, which has passed its checks and is no template
// (see [model.Model.Unroll]), given a likelihood of each variable or nil. A decision with a
// likelihood of one state has been taken. Utilities are in the unit of the diagram's. The error is
// Check's, ErrImpossible, ctx's, or says which decisions nothing orders, which evidence depends on
// an open decision, or which table is too large.
func Solve(ctx context.Context, m *model.Model, likelihood [][]float64, o Options) (*Solution, error) {
	if m.Diagram != nil && m.Diagram.Asymmetry != nil {
		return solveNetwork(ctx, m, likelihood, nil, o)
	}
	s, err := newSolver(ctx, m, likelihood, o)
	if err != nil {
		return nil, err
	}
	c, out := s.with(nil, -1), &Solution{solver: s}
	if o.Limited {
		out.Utility, err = c.limited(o, out)
	} else {
		out.Utility, err = c.solve(out)
		out.Bound = out.Utility
	}
	if err != nil {
		return nil, err
	}
	for _, p := range out.Policies {
		out.known = append(out.known, s.varying(p.Known))
		out.tables = append(out.tables, s.table(p))
		p.simplify(m)
	}
	return out, nil
}

// solve eliminates all variables, and returns the utility. It adds the policies to out.
func (s *solver) solve(out *Solution) (utility float64, err error) {
	if err := s.eliminate(out); err != nil {
		return 0, err
	}
	return s.total(s.left(nil))
}

// eliminate eliminates the variables from the last to the first. It adds the policies to out.
func (s *solver) eliminate(out *Solution) error {
	if err := s.ordered(); err != nil {
		return err
	}
	unknown := s.unknown()
	for i := len(s.open); i >= 0; i-- {
		if err := s.sumOut(unknown[i]); err != nil {
			return err
		}
		if i == 0 {
			break
		}
		p, err := s.maximise(s.open[i-1].Var)
		if err != nil {
			return err
		}
		out.Policies = append(out.Policies, p)
	}
	slices.Reverse(out.Policies)
	return nil
}

// unknown returns, for each number i, the variables that decision i-1 does not know and decision i
// does; the first has no earlier one, and the last no later one. What an earlier decision knew,
// fixed or not, later ones know. Fixed decisions and observed variables are constant, and among the
// last.
func (s *solver) unknown() [][]model.VarID {
	first := slices.Repeat([]int{len(s.open)}, len(s.m.Vars)) // by variable: the first decision that knows it
	for _, e := range s.m.Diagram.Decisions {
		seen := make([]bool, len(s.m.Vars))
		s.follow(e.Var, seen)
		at := slices.IndexFunc(s.open, func(d *model.Decision) bool { return d == e || seen[d.Var] })
		for _, v := range e.Known {
			if at >= 0 && !s.fixed[v] {
				first[v] = min(first[v], at)
			}
		}
	}
	list := make([][]model.VarID, len(s.open)+1)
	for v, i := range first {
		if v := model.VarID(v); !s.isOpen(v) && !s.barren[v] && !slices.Contains(s.kept, v) {
			list[i] = append(list[i], v)
		}
	}
	return list
}
