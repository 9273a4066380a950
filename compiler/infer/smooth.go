package infer

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// Smooth returns the posteriors of the variables of each slice given the evidence on all slices.
// LogProb of each is ln P of all evidence. Its memory grows with the number of slices.
func (e *Engine) Smooth(ctx context.Context, sequence []Given) ([]Marginals, error) {
	past, err := e.forward(ctx, sequence)
	if err != nil || len(past) == 0 {
		return nil, err
	}
	out := make([]Marginals, len(past))
	err = e.back(ctx, past, len(past), func(t int, list []Distribution, _ [][]float64) bool {
		out[t] = Marginals{List: list, LogProb: past[len(past)-1].logP}
		return true
	})
	return out, err
}

// sliceState is what a filter leaves of a slice.
type sliceState struct {
	found  *Findings
	belief [][]float64
	logP   float64 // of the evidence so far
}

// forward filters a sequence.
func (e *Engine) forward(ctx context.Context, sequence []Given) ([]sliceState, error) {
	if _, err := e.stream(ctx, ir.Smooth, ir.SmoothFirst); err != nil { // has entries of filter too
		return nil, err
	}
	f := &Filter{e: e}
	past := make([]sliceState, 0, len(sequence))
	for t, given := range sequence {
		found, err := e.own(given)
		if err != nil {
			return nil, &SliceError{t, err}
		}
		p, m, err := f.run(ctx, found)
		if err != nil {
			return nil, &SliceError{t, err}
		}
		f.belief, f.logP, f.n = outOf(p, m), f.logP+m.LogP(), t+1
		past = append(past, sliceState{found, f.belief, f.logP})
	}
	return past, nil
}

// own returns findings that stay as they are when others are resolved.
func (e *Engine) own(given Given) (*Findings, error) {
	if given == nil {
		return NewFindings(len(e.vars.m.Vars)), nil
	}
	return given.findings(e.vars)
}

// back goes back over the last of n slices, which were filtered. It calls each with the posteriors
// of one, and the belief that it leaves, given the evidence on all, until each returns false.
func (e *Engine) back(ctx context.Context, past []sliceState, n int, each func(t int, list []Distribution, belief [][]float64) bool) error {
	smoothed := past[len(past)-1].belief
	first := n - len(past) // the slice of past[0]
	for t := n - 1; t >= first; t-- {
		here := &past[t-first]
		name, in := ir.SmoothFirst, slices.Concat(here.belief, smoothed)
		if t > 0 {
			if t == first { // it is here for its belief alone
				return nil
			}
			name, in = ir.SmoothNext, slices.Concat(past[t-first-1].belief, here.belief, smoothed)
		}
		p, m, err := e.slice(ctx, ir.Smooth, name, here.found, in)
		if err != nil {
			return &SliceError{t, err}
		}
		if !each(t, e.distributions(p, m), smoothed) {
			return nil
		}
		smoothed = outOf(p, m)
	}
	return nil
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
	if _, err := e.stream(ctx, ir.Smooth, ir.SmoothFirst); err != nil {
		return nil, err
	}
	f, err := e.Filter(ctx)
	return &Lagged{f: f, lag: lag}, err
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
	l.past = append(l.past, sliceState{found, l.f.belief, l.f.logP})
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
	var out *Marginals
	err := l.f.e.back(ctx, l.past, l.f.n, func(t int, list []Distribution, _ [][]float64) bool {
		if t == l.f.n-1-lag {
			out = &Marginals{List: list, LogProb: l.f.logP}
		}
		return out == nil
	})
	return out, err
}
