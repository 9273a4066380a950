package eval

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// ObserveSet restricts v to some of its states, in place of an earlier set. It is combined with
// other evidence on v. The empty set and the set of all states have no effect. The error wraps
// pgmrt.ErrState.
func (m *Machine) ObserveSet(v model.VarID, states ...int) error {
	set := make([]uint64, m.model.Card(v)/64+1)
	for _, s := range states {
		if s < 0 || s >= m.model.Card(v) {
			return m.stateError(v, s)
		}
		set[s/64] |= 1 << (s % 64)
	}
	e := &m.evidence[v]
	e.set = set
	e.combine()
	return nil
}

// Jeffrey runs e repeatedly, with changing likelihoods, until the posterior of each target is the
// given distribution; see pgmrt.Fit. e must have the posteriors of all targets. targets is by
// VarID; nil means no target. Afterwards the outputs are the fitted distribution's, and logP is ln
// P of only the evidence. Errors are the errors of Run and pgmrt.Fit, and pgmrt.ErrLikelihood for a
// target that is not a distribution.
func (m *Machine) Jeffrey(ctx context.Context, e *ir.Entry, targets [][]float64) (r pgmrt.Report, logP float64, err error) {
	f := &fitter{m: m}
	for v, want := range targets {
		id := model.VarID(v)
		if want == nil {
			continue
		}
		if len(want) != m.model.Card(id) || !pgmrt.IsDistribution(want) {
			return r, 0, &pgmrt.LikelihoodError{Var: m.model.Vars[v].Name, Reason: fmt.Sprintf("has to be a distribution over %d states", m.model.Card(id))}
		}
		goal := pgmrt.FitGoal{Var: m.model.Vars[v].Name, Want: want, Weight: append([]float64(nil), m.evidence[v].l...)}
		out := slices.IndexFunc(e.Outs, func(o ir.SpanID) bool { return m.program.Spans[o].Var == id })
		if out < 0 {
			return r, 0, fmt.Errorf("eval: query %q has no output for %q", e.Query.Name, goal.Var)
		}
		goal.Got = m.Span(e.Outs[out])
		f.goals, f.vars = append(f.goals, goal), append(f.vars, id)
	}
	if err := m.Run(e); err != nil {
		return r, 0, err
	}
	logP = m.LogP()
	bits := m.program.SoftBits
	if bits > 0 {
		bits = max(1, bits-m.spread())
	}
	r, err = pgmrt.Fit(ctx, f, bits)
	return r, logP, err
}

// fitter is a machine with goals. Their weights are the likelihoods of their variables.
type fitter struct {
	m     *Machine
	goals []pgmrt.FitGoal
	vars  []model.VarID // the variables of the goals
}

// Goals returns the number of goals.
func (f *fitter) Goals() int { return len(f.goals) }

// Goal returns goal i.
func (f *fitter) Goal(i int) pgmrt.FitGoal { return f.goals[i] }

// Run computes the posteriors under the weights of the goals. It reports whether the evidence is
// possible under them.
func (f *fitter) Run() bool {
	m := f.m
	m.enter()
	for i := range m.program.Spans {
		if k := slices.Index(f.vars, m.program.Spans[i].Var); k >= 0 && m.program.Spans[i].Role == ir.RoleIn {
			copy(m.Span(ir.SpanID(i)), f.goals[k].Weight)
		}
	}
	return m.runBlocks() == nil
}
