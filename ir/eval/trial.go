package eval

import (
	"context"
	"errors"
	"math"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// RunTrials is RunContext for an entry whose chain runs trials. Non-zero fields of opt replace the
// program's options. It returns a report of the run. It stops between two steps if ctx is done; the
// answers are then undefined. Errors are Run's, ctx's, pgmrt.ErrTrials, pgmrt.ErrStart and
// pgmrt.ErrWeights. Machine.LogP is the estimate, or the value of the states that a search found.
func (m *Machine) RunTrials(ctx context.Context, e *ir.Entry, opt pgmrt.TrialOptions) (r pgmrt.TrialReport, err error) {
	c := e.Chain
	opt, err = opt.With(pgmrt.TrialOptions{Iterations: c.Iterations, Chains: c.Chains, Seed: c.Seed, Hot: c.Hot, Cold: c.Cold, Tenure: c.Tenure})
	if err != nil {
		return r, err
	}
	m.trialLogP = math.Inf(-1)
	var stopped error
	err = m.answer(e, func() { r, stopped = m.trials(ctx, e, opt) })
	if stopped != nil && !errors.Is(stopped, ErrImpossible) {
		err = stopped
	}
	if err != nil {
		return pgmrt.TrialReport{}, err
	}
	return r, nil
}

// trials runs the trials.
func (m *Machine) trials(ctx context.Context, e *ir.Entry, opt pgmrt.TrialOptions) (r pgmrt.TrialReport, err error) {
	c := e.Chain
	section := func(s ir.Section) { m.runAll(c.Section(e.Blocks, s)) }
	run := pgmrt.NewTrialRun(trialModes[c.Mode], opt, m.trialNumbers(c))
	section(ir.SectionBegin)
	for run.Next(m.Rand) {
		section(ir.SectionStart)
		if outcome := m.Span(e.Root)[0]; outcome != 1 {
			return r, pgmrt.StartError(outcome)
		}
		for run.Step() {
			if err := ctx.Err(); err != nil {
				return r, err
			}
			section(ir.SectionSweep)
		}
		section(ir.SectionTrial)
	}
	if run.None() {
		section(ir.SectionReasons)
		return r, run.NoneError(m.Span(e.Root)[0])
	}
	section(ir.SectionEnd)
	m.trialLogP = run.LogP()
	return run.Report(), nil
}

// trialNumbers returns the numbers of a run of trials.
func (m *Machine) trialNumbers(c *ir.Chain) pgmrt.TrialNumbers {
	var n ir.TrialNumbers[*float64]
	for i, x := range n.All() {
		*x = &m.Span(*c.TrialRun.All()[i])[0]
	}
	return pgmrt.TrialNumbers(n)
}

// trialModes maps the modes of trials to the runtime's.
var trialModes = [...]pgmrt.TrialMode{ir.ModeSample: pgmrt.TrialSample, ir.ModeBridge: pgmrt.TrialBridge, ir.ModeClimb: pgmrt.TrialClimb,
	ir.ModeCool: pgmrt.TrialCool, ir.ModeMove: pgmrt.TrialMove}
