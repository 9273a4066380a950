package eval

import (
	"context"
	"math"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// search holds the state of a machine for an entry that searches.
type search struct {
	plan        pgmrt.SearchPlan
	completions *pgmrt.Completions
	states      *pgmrt.MAPSearch
}

// searchOf returns the search of e, and creates it at first use.
func (m *Machine) searchOf(e *ir.Entry) *search {
	if s := m.searches[e]; s != nil {
		return s
	}
	s := &search{plan: pgmrt.SearchPlan{Root: m.layout.offset[e.Root], Exp: -1, Comparable: !m.program.Rescales(e)}}
	if e.Exp != ir.NoSpan {
		s.plan.Exp = m.layout.offset[e.Exp]
	}
	inputs := m.program.Inputs(e)
	for _, out := range e.Outs {
		v := m.program.Spans[out].Var
		for _, in := range inputs {
			if m.program.Spans[in].Var == v {
				s.plan.Vars = append(s.plan.Vars, pgmrt.SearchVar{In: m.layout.offset[in], Out: m.layout.offset[out],
					State: m.layout.offset[m.program.State] + int(v), Card: m.program.Spans[out].Len})
			}
		}
	}
	if e.Query.Kind == ir.KMPE {
		s.completions = pgmrt.NewCompletions(&s.plan, e.Query.K)
	} else {
		s.states = pgmrt.NewMAPSearch(&s.plan)
	}
	m.searches[e] = s
	return s
}

// search runs a search to its end, or until ctx is done; then the error is a pgmrt.SearchError.
func (m *Machine) search(ctx context.Context, e *ir.Entry) error {
	s := m.searchOf(e)
	step := func() { m.runAll(e.Blocks) }
	if s.completions != nil {
		for s.completions.Start(m.work, e.Query.K); s.completions.More(); s.completions.Step(m.work, m.ints) {
			if err := ctx.Err(); err != nil {
				s.completions.Stop(m.work)
				return err
			}
			step()
		}
		found := s.completions.Found()
		switch {
		case m.program.Least != 0 && found < e.Query.K:
			return pgmrt.ErrUnderflow
		case found == 0:
			return ErrImpossible
		}
		_, logp := m.Completion(found - 1)
		m.Completion(0)
		return m.certain(logp)
	}
	for s.states.Start(m.work); s.states.More(); s.states.Step(m.work, m.ints) {
		if err := ctx.Err(); err != nil {
			s.states.Stop(m.work)
			s.states.States(m.ints)
			return &pgmrt.SearchError{Bound: s.states.Bound() + m.logScale() - m.program.LogZ, Cause: err}
		}
		step()
	}
	if err := m.certain(m.LogP()); err != nil {
		return err
	}
	if math.IsInf(s.states.LogP(), -1) {
		return ErrImpossible
	}
	s.states.States(m.ints)
	return nil
}

// logP returns the logarithm of the best value, relative to the scale of the likelihoods.
func (s *search) logP() float64 {
	switch {
	case s.states != nil:
		return s.states.LogP()
	case s.completions.Found() > 0:
		return s.completions.LogP(0)
	}
	return math.Inf(-1)
}

// Found returns the number of completions that the last run, a search for several, found.
func (m *Machine) Found() int { return m.searchOf(m.entry).completions.Found() }

// Completion returns completion k of the last run, a search for several, best first: the state of
// each variable that is not latent, by VarID, and the natural logarithm of its probability together
// with the evidence. The slice of states is the machine's own.
func (m *Machine) Completion(k int) (states []int32, logp float64) {
	c := m.searchOf(m.entry).completions
	c.States(k, m.ints)
	return m.State(), c.LogP(k) + m.logScale() - m.program.LogZ
}

// Steps returns the number of steps of the last run if it was a search for the best states of some
// variables, and 1 otherwise.
func (m *Machine) Steps() int {
	if s := m.searches[m.entry]; s != nil && s.states != nil {
		return s.states.Steps()
	}
	return 1
}
