package eval

import (
	"context"
	"errors"
	"math"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// RunTrials is RunContext for an entry whose chain makes trials, with other options than the program's where fields of opt are not zero,
// and says how it went. It gives up between two steps when ctx is done; answers then mean nothing. Errors are those of Run, that of ctx,
// pgmrt.ErrTrials, pgmrt.ErrStart and pgmrt.ErrWeights. Machine.LogP is the estimate, or the value of the states that a search found.
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

// trials runs them.
func (m *Machine) trials(ctx context.Context, e *ir.Entry, opt pgmrt.TrialOptions) (r pgmrt.TrialReport, err error) {
	c := e.Chain
	number := func(i int) *float64 { return &m.Span(c.Run[i])[0] }
	section := func(i int) { m.runAll(c.Section(e.Blocks, i)) }
	run := pgmrt.NewTrialRun(trialModes[e.Query.Kind], opt, pgmrt.TrialNumbers{Beta: number(0), Weight: number(1), Score: number(2),
		Best: number(3), Total: number(4), Square: number(5), Count: number(6), Error: number(7)})
	section(0)
	for run.Next(m.Rand) {
		section(1)
		if outcome := m.Span(e.Root)[0]; outcome != 1 {
			return r, pgmrt.StartError(outcome)
		}
		for run.Step() {
			if err := ctx.Err(); err != nil {
				return r, err
			}
			section(2)
		}
		section(3)
	}
	if run.None() {
		section(4)
		return r, run.NoneError(m.Span(e.Root)[0])
	}
	section(5)
	m.trialLogP = run.LogP()
	return run.Report(), nil
}

var trialModes = map[ir.QueryKind]pgmrt.TrialMode{ir.LW: pgmrt.TrialSample, ir.AIS: pgmrt.TrialBridge, ir.ICM: pgmrt.TrialClimb,
	ir.Anneal: pgmrt.TrialCool, ir.Tabu: pgmrt.TrialMove}

// trial is the instruction of a step that only trials have.
func (m *Machine) trial(s *ir.Trial) []int32 {
	at := func(id ir.SpanID) int {
		if id == ir.NoSpan {
			return -1
		}
		return m.layout.offset[id]
	}
	x := &pgmrt.TapeTrial{Kind: int(s.Kind)}
	for _, id := range s.Run {
		x.Run = append(x.Run, at(id))
	}
	for i := range s.Levels {
		l := &s.Levels[i]
		x.Levels = append(x.Levels, pgmrt.TapeTrialLevel{Row: m.row(&l.Row), Weights: at(l.Weights), Near: l.Near})
	}
	for i, v := range s.Vars {
		x.Lists = append(x.Lists, pgmrt.TapeList{Place: m.layout.offset[m.program.State] + int(v), First: at(s.First[i]), Second: at(s.Second[i]),
			Len: m.program.Spans[s.First[i]].Len})
	}
	return pgmrt.AppendTrial(nil, x)
}
