package eval

import (
	"context"
	"math"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// RunLoop is RunContext for an entry with a loop. Non-zero fields of opt replace the program's
// options. It returns a report of the run. It stops between two iterations if ctx is done; the
// answers are then undefined, unless the method answers at any time, which it does after the first
// iteration. Errors are Run's, ctx's, and pgmrt.ErrOptions.
func (m *Machine) RunLoop(ctx context.Context, e *ir.Entry, opt pgmrt.LoopOptions) (r pgmrt.Report, err error) {
	l := e.Loop
	opt, err = opt.With(pgmrt.LoopOptions(l.LoopOptions))
	if err != nil {
		return r, err
	}
	var stopped error
	anytime := e.Query.By != nil && e.Query.By.Anytime
	err = m.answer(e, func() {
		m.Span(l.Rate)[0] = opt.Damping
		m.runAll(e.Blocks[:l.First])
		if l.Queue != nil {
			stopped = m.runQueue(ctx, e, &opt, &r)
			m.runAll(e.Blocks[l.End:])
			return
		}
		for again := true; again; again = opt.Round(&r, m.Span(l.Residual)[0]) {
			if stopped = ctx.Err(); stopped != nil && !anytime {
				return
			} else if stopped != nil && r.Iterations > 0 {
				break
			}
			m.runAll(e.Blocks[l.First:l.End])
		}
		m.runAll(e.Blocks[l.End:])
		r.LeftOut(float64(m.Improper(e)))
	})
	if stopped != nil && !(anytime && err != nil) {
		return r, stopped
	}
	return r, err
}

// worklist is a queue of the runtime.
type worklist interface {
	Start()
	Next(*pgmrt.LoopOptions, *pgmrt.Report) (item int, ok bool)
	Ran(o *pgmrt.LoopOptions, residual float64, push []int32)
}

// runQueue runs the items of a queue until it is empty. It returns the error of ctx.
func (m *Machine) runQueue(ctx context.Context, e *ir.Entry, opt *pgmrt.LoopOptions, r *pgmrt.Report) error {
	var w worklist = pgmrt.NewWorklist(len(e.Loop.Queue))
	if e.Loop.Priority {
		w = pgmrt.NewPriorities(len(e.Loop.Queue))
	}
	w.Start()
	for {
		i, ok := w.Next(opt, r)
		if !ok {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		m.runAll(e.ItemBlocks(i))
		w.Ran(opt, m.Span(e.Loop.Residual)[0], e.Loop.Queue[i].Push)
	}
}

// Bound returns the bound that the last run of an entry with a loop computed, or +Inf if it found
// none. ok is false if the method has no bound.
func (m *Machine) Bound(e *ir.Entry) (bound float64, ok bool) {
	if e.Loop == nil || e.Loop.Bound == ir.NoSpan {
		return 0, false
	}
	return pgmrt.LoopBound(m.Span(e.Loop.Bound)[0]), true
}

// Bounds returns the bounds of ln P that the last run, of an entry that bounds, computed. Those of
// evidence with likelihoods are rounded outward, since the logarithm of their scale is rounded.
func (m *Machine) Bounds() (lower, upper float64) {
	l := m.entry.Loop
	return pgmrt.Outward(m.Span(l.LogP)[0], m.Span(l.Bound)[0], m.logScale())
}

// Improper returns the number of messages that the last iteration of the last run of an entry with
// a loop left out because they were no proper distribution, and 0 if the method counts none.
func (m *Machine) Improper(e *ir.Entry) int {
	if e.Loop == nil || e.Loop.Improper == ir.NoSpan {
		return 0
	}
	return int(m.Span(e.Loop.Improper)[0])
}

// loopLogP returns LogP of an entry with a loop.
func (m *Machine) loopLogP(e *ir.Entry) float64 {
	if m.Span(e.Root)[0] == 0 {
		return math.Inf(-1)
	}
	return m.Span(e.Loop.LogP)[0] + m.logScale() - m.program.LogZ - e.LogZ
}

// Decoded returns the report on the states that the last run of e, an entry with a loop, chose. r
// is the report of that run.
func (m *Machine) Decoded(e *ir.Entry, r pgmrt.Report) pgmrt.DecodeReport {
	d := e.Loop.Decode
	x := pgmrt.Decoding{LogP: m.LogP(), Bound: math.Inf(1), Ties: m.Span(d.Ties)[0] != 0, Bounds: d.Bound != ir.NoSpan, Settles: d.Exact}
	if x.Bounds {
		x.Bound = m.Span(d.Bound)[0] + m.logScale() - m.program.LogZ - e.LogZ
	} else {
		x.Slack = m.Span(d.Slack)[0]
	}
	return x.Report(r)
}

// Decided returns the states that every best assignment has, by variable, and -1 for an undecided
// variable, after a run of e, an entry whose loop chooses states. It is nil if the method knows no
// such states.
func (m *Machine) Decided(e *ir.Entry) []int32 {
	if e.Loop.Decode.Fixed == ir.NoSpan {
		return nil
	}
	ints := m.Ints(e.Loop.Decode.Fixed)
	return ints[len(ints)-len(m.State()):]
}
