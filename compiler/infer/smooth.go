package infer

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer/internal/temporal"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// Smooth returns the posteriors of the variables of each slice given the evidence on all slices.
// LogProb of each is ln P of all evidence. The beliefs of slices take at most half of the memory of
// the options; if they are more, parts of the sequence are filtered again.
func (e *Engine) Smooth(ctx context.Context, sequence []Given) ([]Marginals, error) {
	h, err := e.smooths(ctx)
	switch {
	case err != nil || len(sequence) == 0:
		return nil, err
	case h != nil:
		return e.smoothKept(ctx, sequence)
	}
	out := make([]Marginals, len(sequence))
	logP, err := e.smooth(ctx, sequence, func(t int, list []Distribution, _ [][]float64) { out[t].List = list })
	if err != nil {
		return nil, err
	}
	for t := range out {
		out[t].LogProb = logP
	}
	return out, nil
}

// smoothKept is Smooth for a belief of particles or histories. Those of all slices are kept in
// memory.
func (e *Engine) smoothKept(ctx context.Context, sequence []Given) ([]Marginals, error) {
	f, err := e.Filter(ctx)
	if err != nil {
		return nil, err
	}
	f.recalls = true
	past, err := f.follow(sequence, func(found *Findings) error {
		_, err := f.Step(ctx, found)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := make([]Marginals, len(sequence))
	return out, f.goBack(ctx, past, 0, func(t int, m *Marginals) { out[t] = *m })
}

// follow makes the steps of a sequence and returns what f leaves of each slice, the particles or
// histories.
func (f *Filter) follow(sequence []Given, step func(*Findings) error) ([]sliceState, error) {
	var past []sliceState
	size, limit := int64(0), f.e.maxMem()/2
	for t, given := range sequence {
		found, err := f.e.own(given)
		if err == nil {
			err = step(found)
		}
		if err != nil {
			return nil, &SliceError{t, err}
		}
		past = append(past, f.left(found))
		if size += past[t].bytes(); size > limit {
			return nil, &SliceError{t, f.overMemory(limit)}
		}
	}
	return past, nil
}

// left returns what the filter leaves of its last slice, with the evidence found.
func (f *Filter) left(found *Findings) sliceState {
	s := sliceState{found: found, belief: f.belief, past: f.past, logP: f.logP}
	if f.cloud != nil {
		s.cloud = frameOf(f.cloud)
	}
	return s
}

// goBack goes back over the last slices of a filter, which are past, down to slice from. It calls
// each with the posteriors of one given all evidence so far.
func (f *Filter) goBack(ctx context.Context, past []sliceState, from int, each func(t int, m *Marginals)) error {
	switch {
	case f.cloud != nil:
		return f.backParticles(ctx, past, from, each)
	case f.past != nil:
		return f.backHistories(ctx, past, from, each)
	}
	_, err := f.e.back(ctx, past, from, f.n, f.belief, func(t int, list []Distribution, _ [][]float64) { each(t, &Marginals{List: list, LogProb: f.logP}) })
	return err
}

// bytes returns about how many bytes the particles or histories take.
func (s *sliceState) bytes() int64 {
	if s.cloud != nil {
		return s.cloud.Bytes()
	}
	return s.past.Bytes()
}

// overMemory returns the error of a sequence whose slices so far take more than limit bytes, all of
// which are kept.
func (f *Filter) overMemory(limit int64) error {
	memory, lag, modes := diag.Option{Name: "max-mem"}, diag.Option{Name: "lag"}, diag.Option{Name: filter.Method.Bounded.Option.Name}
	fewer := diag.Errorf("a smaller %v, or %v", diag.Option{Name: "particles"}, lag)
	what := "particles"
	if f.cloud == nil {
		what = "histories"
		switch drops := f.rule != nil && f.rule.Beyond == ir.DropHistories; {
		case f.paths && drops:
			fewer = diag.Errorf("a smaller %v", modes)
		case f.paths:
			fewer = diag.Errorf("%v N, which keeps the N most probable ones", modes)
		case drops:
			fewer = diag.Errorf("a smaller %v, or %v", modes, lag)
		case f.rule == nil || f.rule.Draw == nil:
			fewer = diag.Errorf("%v or %s, which keep one Gaussian for each state", compiler.By(method.MergingFilter), compiler.By(method.MixingFilter).Value)
		}
	}
	return diag.Errorf("the %s of %d slices take more than %d bytes, half of what memory is allowed; limit: %v; try %v", what, f.n, limit, memory, fewer)
}

// smooths compiles the query smooth. It returns what is kept of histories if a belief is a mixture.
func (e *Engine) smooths(ctx context.Context) (*ir.Histories, error) {
	p, err := e.stream(ctx, ir.Smooth, ir.FilterFirst)
	if err != nil {
		return nil, err
	}
	if h := p.entry.Stream.Histories; h != nil && h.Draw != nil && h.Draw.Whole {
		return h, nil
	}
	if p, err = e.stream(ctx, ir.Smooth, ir.SmoothFirst); err != nil {
		return nil, err
	}
	return p.entry.Stream.Histories, nil
}

// smooth goes forwards over a sequence and back. It calls each with the posteriors of a slice and
// the belief that it leaves, given the evidence on all, the last slice first, and returns ln P of
// all evidence.
func (e *Engine) smooth(ctx context.Context, sequence []Given, each func(t int, list []Distribution, belief [][]float64)) (logP float64, err error) {
	if _, err := e.stream(ctx, ir.Smooth, ir.SmoothFirst); err != nil { // has entries of filter too
		return 0, err
	}
	room, _, err := e.room(ctx, ir.Smooth, ir.FilterFirst)
	if err != nil {
		return 0, err
	}
	var smoothed [][]float64
	s := &temporal.Sweep[sliceState]{Room: room,
		Forward: func(t int, before *sliceState) (sliceState, error) {
			return e.filtered(ctx, filterEntries, t, before, sequence[t])
		},
		Back: func(past []sliceState, from, end int) (err error) {
			if last := past[len(past)-1]; end == len(sequence) {
				smoothed, logP = last.belief, last.logP
			}
			smoothed, err = e.back(ctx, past, from, end, smoothed, each)
			return err
		}}
	return logP, s.Run(len(sequence))
}

// forward filters a sequence.
func (e *Engine) forward(ctx context.Context, sequence []Given) ([]sliceState, error) {
	if _, err := e.stream(ctx, ir.Smooth, ir.SmoothFirst); err != nil { // has entries of filter too
		return nil, err
	}
	past := make([]sliceState, 0, len(sequence))
	var before *sliceState
	for t, given := range sequence {
		x, err := e.filtered(ctx, filterEntries, t, before, given)
		if err != nil {
			return nil, err
		}
		past, before = append(past, x), &x
	}
	return past, nil
}

// filtered runs the entry of slice t after the one before, which is nil for slice 0.
func (e *Engine) filtered(ctx context.Context, x sliceEntries, t int, before *sliceState, given Given) (sliceState, error) {
	if before == nil {
		before = &sliceState{}
	}
	found, err := e.own(given)
	if err != nil {
		return sliceState{}, &SliceError{t, err}
	}
	p, m, err := e.slice(ctx, x, t, found, before.belief)
	if err != nil {
		return sliceState{}, &SliceError{t, err}
	}
	return sliceState{found: found, belief: outOf(p, m), logP: before.logP + m.LogP()}, nil
}

// own returns findings that stay as they are when others are resolved.
func (e *Engine) own(given Given) (*Findings, error) {
	if given == nil {
		return NewFindings(len(e.vars.m.Vars)), nil
	}
	return given.findings(e.vars)
}

// back goes back over the slices from end-1 down to from, which were filtered, as were those of
// past before them. It calls each with the posteriors of one and the belief that it leaves, given
// the evidence on all, which is smoothed for the last one. It returns that of the slice before
// from.
func (e *Engine) back(ctx context.Context, past []sliceState, from, end int, smoothed [][]float64, each func(t int, list []Distribution, belief [][]float64)) ([][]float64, error) {
	first := end - len(past) // the slice of past[0]
	for t := end - 1; t >= from; t-- {
		here := &past[t-first]
		in := slices.Concat(here.belief, smoothed)
		if t > 0 {
			in = slices.Concat(past[t-first-1].belief, in)
		}
		p, m, err := e.slice(ctx, smoothEntries, t, here.found, in)
		if err != nil {
			return nil, &SliceError{t, err}
		}
		each(t, e.distributions(p, m), smoothed)
		smoothed = outOf(p, m)
	}
	return smoothed, nil
}

// Lagged smooths with a fixed lag: it follows a sequence and returns the posteriors of each slice
// given the evidence up to some slices after it. Its memory is constant.
type Lagged struct {
	f    *Filter
	lag  int
	past []sliceState // the last slices, of which the first one is to be returned next; and the one before
}

// Lagged returns a smoother with a lag of at least 0 slices, before its first slice.
func (e *Engine) Lagged(ctx context.Context, lag int) (*Lagged, error) {
	if _, err := e.smooths(ctx); err != nil {
		return nil, err
	}
	f, err := e.Filter(ctx)
	if err != nil {
		return nil, err
	}
	f.recalls = true
	return &Lagged{f: f, lag: lag}, nil
}

// Step enters the evidence on the next slice t. It returns the posteriors of the variables of slice
// t-lag given the evidence up to t, and ln P of that; nil if there is no such slice.
func (l *Lagged) Step(ctx context.Context, given Given) (*Marginals, error) {
	found, err := l.f.e.own(given)
	if err != nil {
		return nil, err
	}
	if _, err := l.f.Step(ctx, found); err != nil {
		return nil, err
	}
	if len(l.past) > l.lag+1 {
		l.past = slices.Delete(l.past, 0, 1)
	}
	l.past = append(l.past, l.f.left(found))
	return l.smoothed(ctx, l.lag)
}

// Rest returns the posteriors of the last slices, which Step has not returned, given all evidence.
func (l *Lagged) Rest(ctx context.Context) ([]Marginals, error) {
	var out []Marginals
	for lag := min(l.lag, l.f.n) - 1; lag >= 0; lag-- {
		m, err := l.smoothed(ctx, lag)
		if err != nil {
			return nil, err
		}
		out = append(out, *m)
	}
	return out, nil
}

// smoothed returns the posteriors of a slice some slices ago.
func (l *Lagged) smoothed(ctx context.Context, lag int) (*Marginals, error) {
	at := len(l.past) - 1 - lag
	if at < 0 || lag >= l.f.n {
		return nil, nil
	}
	out := &Marginals{}
	if err := l.f.goBack(ctx, l.past, l.f.n-1-lag, func(_ int, m *Marginals) { *out = *m }); err != nil {
		return nil, err
	}
	return out, nil
}
