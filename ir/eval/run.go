package eval

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// ErrImpossible is the error for evidence of probability zero.
var ErrImpossible = pgmrt.ErrImpossible

// Run answers one query: it enters the evidence and runs the blocks of e. It returns ErrImpossible
// if the evidence has probability zero; posteriors and states are then undefined. It returns
// pgmrt.ErrLikelihood if the likelihoods together exceed Program.SoftBits. A nil e, as
// Program.Entry returns for a query that the program does not answer, is an error.
func (m *Machine) Run(e *ir.Entry) error { return m.RunContext(context.Background(), e) }

// RunContext is Run with cancellation: a search stops when ctx is done, with an error that wraps
// ctx's. A search for the best states of some variables then leaves the best so far, and its error
// is a pgmrt.SearchError.
func (m *Machine) RunContext(ctx context.Context, e *ir.Entry) error {
	if e == nil {
		return errors.New("the entry is nil: the program does not answer such a query")
	}
	if e.Search {
		var err error
		refused := m.answer(e, func() { err = m.search(ctx, e) })
		if err == nil && !errors.Is(refused, ErrImpossible) { // the root of the last step of a search is not the answer
			err = refused
		}
		return err
	}
	if e.Loop != nil {
		_, err := m.RunLoop(ctx, e, pgmrt.LoopOptions{})
		return err
	}
	if e.Query.Kind.Run() > ir.RunChain {
		_, err := m.RunTrials(ctx, e, pgmrt.TrialOptions{})
		return err
	}
	if e.Chain != nil {
		_, err := m.RunChain(ctx, e, pgmrt.ChainOptions{})
		return err
	}
	if len(e.Cutset) > 0 {
		var err error
		refused := m.answer(e, func() { err = m.sum(ctx, e) })
		if err != nil {
			return err
		}
		return refused
	}
	return m.answer(e, func() {
		if m.runsInstead(m.instead[e]) {
			m.entry = m.instead[e]
		}
		m.runAll(m.entry.Blocks)
	})
}

// RunStep runs the blocks of e, the entry of a search, once, on the evidence as it is.
func (m *Machine) RunStep(e *ir.Entry) error { return m.answer(e, func() { m.runAll(e.Blocks) }) }

// runsInstead reports whether the evidence leaves so little work to e, which may be nil, that it
// runs in place of another entry.
func (m *Machine) runsInstead(e *ir.Entry) bool {
	return e != nil && e.Instead.Work(func(v model.VarID) int {
		at := m.layout.ints + m.ranges.Place(v)
		return int(m.ints[at+1] - m.ints[at])
	}) <= e.Instead.Most
}

// block runs one block.
func (m *Machine) block(b int) { m.blocks[b].Run(m.work, m.data, m.ints, m.Rand) }

func (m *Machine) runAll(blocks []int) {
	for _, b := range blocks {
		m.block(b)
	}
}

// answer enters the evidence, calls run to compute the answers of e, and checks that the evidence
// is possible.
func (m *Machine) answer(e *ir.Entry, run func()) error {
	m.entry = e
	if spread := m.spread(); m.program.SoftBits > 0 && spread > m.program.SoftBits {
		return fmt.Errorf("the smallest likelihoods together lie 2^%.0f below the largest, and 2^%.0f is the most: %w",
			spread, m.program.SoftBits, pgmrt.ErrLikelihood)
	}
	if err := m.givens(); err != nil {
		return err
	}
	m.enter()
	run()
	return m.possible()
}

// givens returns an error if a given variable is not observed, or for a signature, a real variable
// of its evidence. States of a signature are set by [Machine.SetState].
func (m *Machine) givens() error {
	if q := m.entry.Query; q.Kind == ir.Signature {
		for _, v := range q.Evidence {
			if m.model.IsReal(v) && m.evidence[v].l[0] == 0 {
				return fmt.Errorf("variable %q is evidence of %s and not observed; want a value: %w", m.model.Vars[v].Name, q.Name, pgmrt.ErrState)
			}
		}
		return nil
	}
	switch q := m.entry.Query; q.Kind {
	case ir.Best, ir.Information:
		return m.timely(q.Targets[0])
	case ir.Follow:
		return nil
	}
	for _, v := range m.model.Vars {
		if e := &m.evidence[v.ID]; v.Given && e.state == 0 && !(m.model.IsReal(v.ID) && e.l[0] != 0) {
			return unobserved(v.Name)
		}
	}
	return nil
}

// unobserved is the error of a given variable, by name, that is not observed.
type unobserved string

// Error names the variable.
func (u unobserved) Error() string {
	return fmt.Sprintf("variable %q is given and not observed; want a value", string(u))
}

// Unwrap returns ErrState.
func (u unobserved) Unwrap() error { return pgmrt.ErrState }

// runBlocks runs the current entry on the contents of the input spans.
func (m *Machine) runBlocks() error {
	m.runAll(m.entry.Blocks)
	return m.possible()
}

// possible returns an error if the evidence of the last run is impossible.
func (m *Machine) possible() error {
	e := m.entry
	if e.Root == ir.NoSpan {
		return nil
	}
	if k := e.Query.Kind; k == ir.MPE || k == ir.MAP || k == ir.MaxMarginals {
		if err := m.certain(m.LogP()); err != nil {
			return err
		}
	}
	if root := m.Span(e.Root)[0]; root == 0 || len(e.Logs) > 0 && math.IsNaN(root) {
		return pgmrt.RootError(root)
	}
	return nil
}

// certain returns an error if states of that logarithm may not be the best.
func (m *Machine) certain(logp float64) error {
	for _, id := range m.entry.Logs {
		logp -= m.Span(id)[0]
	}
	if p := m.program; p.Least != 0 && logp-m.logScale()+p.LogZ < p.Least {
		return pgmrt.ErrUnderflow
	}
	return nil
}

// LogP returns the natural logarithm of the probability of the evidence, or of its best completion,
// in the last run. It is -Inf if that is zero, and NaN if the entry has no root or samples.
func (m *Machine) LogP() float64 {
	e := m.entry
	if e != nil && e.Query.Kind.Run() > ir.RunChain {
		return m.trialLogP + m.logScale() - m.program.LogZ
	}
	if e == nil || e.Root == ir.NoSpan || e.Chain != nil {
		return math.NaN()
	}
	if s := m.searches[e]; s != nil {
		return s.logP() + m.logScale() - m.program.LogZ
	}
	if !e.Rooted() {
		return m.loopLogP(e)
	}
	logp := pgmrt.Ln(m.Span(e.Root)[0])
	if e.Exp != ir.NoSpan {
		logp += float64(float64(m.Ints(e.Exp)[0]) * math.Ln2)
	}
	for _, id := range e.Logs {
		logp += m.Span(id)[0]
	}
	return logp + m.logScale() - m.program.LogZ - e.LogZ
}

// Posterior returns output i of the last entry that ran. The slice is the machine's own.
func (m *Machine) Posterior(i int) []float64 { return m.Span(m.entry.Outs[i]) }
