package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// exactShare is the share of the time for the exact answer, and quickShare the share of a search
// for states before it, which often proves its answer sooner than tables are planned, but takes no
// longer than quickMost. The rest is for bounds, which hold for any width.
const (
	exactShare = .4
	quickShare = .2
	quickMost  = 10 * time.Second
)

// Confidence is an interval that holds the answer with the probability Level, by samples.
type Confidence struct {
	Lower10 any     `json:"lower10"`
	Upper10 any     `json:"upper10"`
	Level   float64 `json:"level"`
	Samples int     `json:"samples"`
}

// Exactly returns the context of an exact answer that bounds replace if it fails: it ends after a
// share of the time that ctx leaves. Without a deadline it ends with ctx.
func Exactly(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, timed := ctx.Deadline()
	if !timed {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, share(exactShare, deadline))
}

// share returns a share of the time that is left until a deadline.
func share(of float64, deadline time.Time) time.Duration {
	return time.Duration(of * float64(time.Until(deadline)))
}

// TooHard reports whether err says that an exact answer does not fit, takes too long or leaves the
// range of float64.
func TooHard(err error) bool {
	var large *compiler.TooLarge
	return errors.As(err, &large) || errors.Is(err, context.DeadlineExceeded) || OutOfRange(err)
}

// OutOfRange reports whether err says that numbers leave the range of float64. Those of bounds are
// logarithms.
func OutOfRange(err error) bool {
	return slices.ContainsFunc([]error{rows.ErrNotANumber, rows.ErrUnderflow, ir.ErrOverflow, ir.ErrUnderflow, pgmrt.ErrUnderflow}, func(x error) bool { return errors.Is(err, x) })
}

// Solve answers the task for one sample of evidence: the state of each variable, negative if it is
// not observed. If ctx has a deadline, the method is exact, and its answer does not fit
// or takes too long, the answer has bounds in place of a proof, even if the deadline has passed:
// the least that bounds take. Without a method, MPE and MMAP begin with a search. If numbers of an
// exact method leave the range of float64, the answer has bounds without a deadline too.
func (x *Solver) Solve(ctx context.Context, states []int) (*Answer, error) {
	if x.Exact || cli.Approximate(x.Options.MethodName()) != nil {
		return x.exactly(ctx, states)
	}
	deadline, timed := ctx.Deadline()
	if !timed {
		s, err := x.exactly(ctx, states)
		if OutOfRange(err) {
			return cli.Await(ctx, func() (*Answer, error) { return x.bounded(ctx, states) })
		}
		return s, err
	}
	quick, err := x.quickly(ctx, deadline, states)
	if err != nil || quick != nil && quick.open == "" {
		return quick, err
	}
	first, cancel := Exactly(ctx)
	defer cancel()
	s, err := x.exactly(first, states)
	switch {
	case err == nil && s.open == "", errors.Is(ctx.Err(), context.Canceled):
		return s, err
	case err != nil && !TooHard(err):
		return nil, err
	}
	if s != nil {
		quick = s.better(quick)
	}
	t, err := x.awaited(ctx, states)
	switch {
	case errors.Is(err, infer.ErrNothingFound) && quick != nil:
		return quick, nil
	case err != nil:
		return nil, err
	}
	return t.better(quick), nil
}

// quickly answers MPE and MMAP by a short search. It returns nil for the other tasks, if a method
// is asked for, if another proves its states anyway, and if the search finds nothing.
func (x *Solver) quickly(ctx context.Context, deadline time.Time, states []int) (*Answer, error) {
	if x.Options.MethodName() != "" || x.Task.Name != MPE && len(x.Task.hidden(x.Model, states)) == 0 {
		return nil, nil
	}
	left, err := x.Model.Condition(states, x.App.MaxTable)
	if err != nil || x.Task.Name == MPE && compiler.Proving(left) != nil {
		return nil, err
	}
	short, cancel := context.WithTimeout(ctx, min(share(quickShare, deadline), quickMost))
	defer cancel()
	s, err := x.awaited(short, states)
	if errors.Is(err, infer.ErrNothingFound) {
		return nil, nil
	}
	return s, err
}

// awaited waits for what bounded answers until ctx ends.
func (x *Solver) awaited(ctx context.Context, states []int) (*Answer, error) {
	return cli.Await(context.WithoutCancel(ctx), func() (*Answer, error) { return x.bounded(ctx, states) })
}

// better returns the better of two answers that are states, with the smaller bound. The second may
// be nil.
func (s *Answer) better(t *Answer) *Answer {
	if t == nil {
		return s
	}
	upper := min(s.Upper, t.Upper)
	if t.Log10 > s.Log10 {
		s = t
	}
	if s.Upper = max(upper, s.Log10); s.Proven() {
		s.open = ""
	}
	return s
}

// bounded answers the task with bounds.
func (x *Solver) bounded(ctx context.Context, states []int) (*Answer, error) {
	left, err := x.Model.Condition(states, x.App.MaxTable)
	if err != nil {
		return nil, err
	}
	for _, v := range left.Vars {
		v.Latent = false
	}
	e, err := infer.New(ctx, left, infer.Options{Rows: model.RowsAsIs, Seed: x.App.Seed, MaxTable: x.App.MaxTable, MaxMem: int64(x.App.MaxMem)})
	if err != nil {
		return nil, err
	}
	tell, stop := x.App.Follow(ctx, "solving "+filepath.Base(x.Path), 1/math.Ln10)
	defer stop()
	e.SetRunOptions(infer.RunOptions{Progress: tell, Discrepancies: cmp.Or(x.Discrepancies, -1)})
	q := &asked{Task: x.Task, engine: e, m: x.Model, states: states, hidden: x.Task.hidden(x.Model, states)}
	var s *Answer
	if q.Name == MPE || len(q.hidden) > 0 {
		s, err = q.search(ctx)
	} else {
		s, err = q.interval(ctx)
	}
	if errors.Is(err, infer.ErrImpossible) {
		err = rows.ErrImpossible
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", x.Path, err)
	}
	s.Task, s.Value = q.Name, s.Log10
	return s, nil
}

// interval answers PR, MAR, and MMAP if its variables are observed.
func (x *asked) interval(ctx context.Context) (*Answer, error) {
	bounds := x.engine.Interval
	if x.Name == MAR {
		bounds = x.engine.Intervals
	}
	p, err := bounds(ctx, nil)
	if x.Name == PR && errors.Is(err, infer.ErrImpossible) {
		return x.valued(math.Inf(-1), nil), nil
	}
	if err != nil {
		return nil, err
	}
	s := x.valued(p.LogProb, nil)
	s.Lower, s.Upper = p.Lower/math.Ln10, p.Upper/math.Ln10
	if p.Samples > 0 {
		s.Confidence = &Confidence{jsonLog(p.Likely[0] / math.Ln10), jsonLog(p.Likely[1] / math.Ln10), p.Level, p.Samples}
	}
	if !p.Exact {
		s.open = fmt.Sprintf("log10 of the partition function is at least %.10g and at most %.10g", s.Lower, s.Upper)
	}
	if x.Name == MAR {
		x.marginalBounds(s, p)
	}
	if x.Name == MMAP {
		s.Query = x.Query
		x.choose(s, x.Query, nil)
	}
	return s, nil
}

// marginalBounds makes the marginals of p the answer's, with their bounds unless all are exact.
func (x *asked) marginalBounds(s *Answer, p *infer.Interval) {
	for v, d := range p.Marginals {
		s.Marginals = append(s.Marginals, x.observed(v, d.P))
	}
	width := p.Widest()
	if width == 0 {
		return
	}
	for v := range p.Marginals {
		s.Least, s.Most = append(s.Least, x.observed(v, p.Least[v])), append(s.Most, x.observed(v, p.Most[v]))
	}
	text := fmt.Sprintf("marginals are estimates; their bounds, in the answer of --json, are at most %.2g apart", width)
	if s.open != "" {
		text += "; " + s.open
	}
	s.open = text
}

// search answers MPE and MMAP.
func (x *asked) search(ctx context.Context) (*Answer, error) {
	c, err := x.engine.Search(ctx, nil, x.hidden...)
	if nothing := (*infer.NothingFoundError)(nil); errors.As(err, &nothing) && nothing.Guess != nil {
		s := x.valued(nothing.Guess.LogProb, nil)
		s.Upper, s.least, s.open = nothing.Bound/math.Ln10, true, "the search ended before it found any states; these are of a local search"
		s.Query = x.Query
		x.choose(s, x.wanted(), nothing.Guess)
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	s := x.valued(c.LogProb, nil)
	s.Upper, s.Steps = c.Report.Bound/math.Ln10, c.Report.Iterations
	if c.Report.Gap > 0 {
		s.open = "the best states so far are not proven"
	}
	s.Query = x.Query
	x.choose(s, x.wanted(), c)
	return s, nil
}
