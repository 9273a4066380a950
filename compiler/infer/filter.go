package infer

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Filter follows one sequence of a model with a transition, slice by slice, in constant memory. A
// filter is for one goroutine at a time, and so are all filters of one engine together.
type Filter struct {
	e      *Engine
	belief []float64 // about the variables that persist, given the evidence so far
	n      int
	logP   float64
}

// Filter returns a filter before its first slice. The model must have a transition.
func (e *Engine) Filter(ctx context.Context) (*Filter, error) {
	_, err := e.stream(ctx, ir.Filter, filter.First)
	return &Filter{e: e}, err
}

// Clone returns a filter with the same past, which goes its own way from now on.
func (f *Filter) Clone() *Filter {
	c := *f
	c.belief = slices.Clone(f.belief)
	return &c
}

// Len returns the number of slices so far.
func (f *Filter) Len() int { return f.n }

// LogProb returns ln P of the evidence so far.
func (f *Filter) LogProb() float64 { return f.logP }

// Step enters the evidence on the next slice. It returns the posteriors of the variables of the
// slice given the evidence up to it, and ln P of all evidence so far. An error, such as an
// [ImpossibleError], leaves f as it was.
func (f *Filter) Step(ctx context.Context, given Given) (*Marginals, error) {
	found, err := f.e.resolve(given)
	if err != nil {
		return nil, err
	}
	p, m, err := f.run(ctx, found)
	if err != nil {
		return nil, err
	}
	logP := f.logP + m.LogP()
	f.belief, f.logP, f.n = outOf(p, m), logP, f.n+1
	return &Marginals{List: f.e.distributions(p, m), LogProb: logP}, nil
}

// run runs the entry of filter for the next slice.
func (f *Filter) run(ctx context.Context, found *Findings) (*program, *eval.Machine, error) {
	name, in := filter.First, [][]float64(nil)
	if f.n > 0 {
		name, in = filter.Next, [][]float64{f.belief}
	}
	return f.e.slice(ctx, ir.Filter, name, found, in)
}

// Smooth returns the posteriors of the variables of each slice given the evidence on all slices.
// LogProb of each is ln P of all evidence. Its memory grows with the number of slices.
func (e *Engine) Smooth(ctx context.Context, sequence []Given) ([]Marginals, error) {
	past, err := e.forward(ctx, sequence)
	if err != nil || len(past) == 0 {
		return nil, err
	}
	out := make([]Marginals, len(past))
	err = e.back(ctx, past, len(past), func(t int, list []Distribution) bool {
		out[t] = Marginals{List: list, LogProb: past[len(past)-1].logP}
		return true
	})
	return out, err
}

// sliceState is what a filter leaves of a slice.
type sliceState struct {
	found  *Findings
	belief []float64
	logP   float64 // of the evidence so far
}

// forward filters a sequence.
func (e *Engine) forward(ctx context.Context, sequence []Given) ([]sliceState, error) {
	if _, err := e.stream(ctx, ir.Smooth, filter.SmoothFirst); err != nil { // has entries of filter too
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

// back goes back over the last of n slices, which were filtered, and calls each with the posteriors
// of one given the evidence on all, until each returns false.
func (e *Engine) back(ctx context.Context, past []sliceState, n int, each func(t int, list []Distribution) bool) error {
	smoothed := past[len(past)-1].belief
	first := n - len(past) // the slice of past[0]
	for t := n - 1; t >= first; t-- {
		here := &past[t-first]
		name, in := filter.SmoothFirst, [][]float64{here.belief, smoothed}
		if t > 0 {
			if t == first { // it is here for its belief alone
				return nil
			}
			name, in = filter.SmoothNext, [][]float64{past[t-first-1].belief, here.belief, smoothed}
		}
		p, m, err := e.slice(ctx, ir.Smooth, name, here.found, in)
		if err != nil {
			return &SliceError{t, err}
		}
		if !each(t, e.distributions(p, m)) {
			return nil
		}
		smoothed = outOf(p, m)
	}
	return nil
}

// SliceError is an error about one slice of a sequence.
type SliceError struct {
	Slice int // from 0
	Err   error
}

// Error names the slice.
func (e *SliceError) Error() string { return fmt.Sprintf("slice %d: %v", e.Slice, e.Err) }

// Unwrap returns the error about the slice.
func (e *SliceError) Unwrap() error { return e.Err }

// slice runs an entry about one slice, with the numbers that enter by its stream. Found may have
// states of latent variables that persist, which only tracing back observes.
func (e *Engine) slice(ctx context.Context, kind ir.QueryKind, name string, found *Findings, in [][]float64) (*program, *eval.Machine, error) {
	p, err := e.stream(ctx, kind, name)
	if err != nil {
		return nil, nil, err
	}
	m, err := e.enter(p, found)
	if err != nil {
		return nil, nil, err
	}
	for _, v := range e.vars.m.Transition.Before {
		if s := found.State[v]; e.vars.m.Vars[v].Latent && s != Missing {
			if err := m.Observe(v, s); err != nil {
				return nil, nil, err
			}
		}
	}
	for i, id := range p.entry.Stream.In {
		if span := m.Span(id); i < len(in) && in[i] != nil {
			copy(span, in[i])
		} else { // nothing persists
			for k := range span {
				span[k] = 1
			}
		}
	}
	return p, m, e.impossible(m.RunContext(ctx, p.entry), found, nil)
}

// outOf returns a copy of the numbers that leave by the stream of the last run; nil if none do.
func outOf(p *program, m *eval.Machine) []float64 {
	if len(p.entry.Stream.Out) == 0 {
		return nil
	}
	return slices.Clone(m.Span(p.entry.Stream.Out[0]))
}

// stream returns the program with an entry about one slice, and compiles a query of the given kind
// if there is none. Beliefs of all programs have the same form.
func (e *Engine) stream(ctx context.Context, kind ir.QueryKind, name string) (*program, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.vars.m.Transition == nil {
		return nil, fmt.Errorf("the model has no transition from slice to slice; want one for a sequence")
	}
	if e.streams[name] == nil {
		if err := e.compile(ctx, []string{kind.String()}, false); err != nil {
			return nil, err
		}
	}
	return e.streams[name], nil
}

// Path is a most probable completion of a sequence.
type Path struct {
	Slices []Completion // LogProb is not set
	// LogProb is ln of the probability or density of the path together with the evidence. Of
	// likelihoods it is the product.
	LogProb float64
}

// Viterbi returns a most probable completion of the evidence on a sequence: states, or the values
// of real variables. Its memory grows with the number of slices.
func (e *Engine) Viterbi(ctx context.Context, sequence []Given) (*Path, error) {
	if len(e.vars.m.Reals()) > 0 {
		return e.meanPath(ctx, sequence)
	}
	var past []sliceState
	for t, given := range sequence {
		found, err := e.own(given)
		if err != nil {
			return nil, &SliceError{t, err}
		}
		name, in := filter.MaxFirst, [][]float64(nil)
		if t > 0 {
			name, in = filter.MaxNext, [][]float64{past[t-1].belief}
		}
		p, m, err := e.slice(ctx, ir.Viterbi, name, found, in)
		if err != nil {
			return nil, &SliceError{t, err}
		}
		past = append(past, sliceState{found: found, belief: outOf(p, m)})
	}
	return e.trace(ctx, past)
}

// trace picks the states of the slices, the last one first. Those that persist are observed in the
// slice before.
func (e *Engine) trace(ctx context.Context, past []sliceState) (*Path, error) {
	m := e.vars.m
	states := make([][]int, len(past)) // of the variables of a slice, and those before it
	var persists []int
	for t := len(past) - 1; t >= 0; t-- {
		name, in := filter.TraceFirst, [][]float64(nil)
		if t > 0 {
			name, in = filter.TraceNext, [][]float64{past[t-1].belief}
		}
		found := *past[t].found
		found.State = slices.Clone(found.State)
		for i, s := range persists {
			found.State[m.Transition.Before[i]] = s
		}
		_, machine, err := e.slice(ctx, ir.Viterbi, name, &found, in)
		if err != nil {
			return nil, &SliceError{t, err}
		}
		for _, s := range machine.State() {
			states[t] = append(states[t], int(s))
		}
		persists = states[t][len(m.Vars):]
	}
	return e.path(past, states, nil), nil
}

// meanPath returns the path of the smoothed means, where a Gaussian density is highest.
func (e *Engine) meanPath(ctx context.Context, sequence []Given) (*Path, error) {
	past, err := e.forward(ctx, sequence)
	if err != nil || len(past) == 0 {
		return &Path{}, err
	}
	values := make([][]float64, len(past))
	err = e.back(ctx, past, len(past), func(t int, list []Distribution) bool {
		values[t] = make([]float64, len(e.vars.m.Vars))
		for i, v := range e.vars.seen {
			values[t][v] = list[i].Mean
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	return e.path(past, nil, values), nil
}

// path returns the path with the given states or values, by slice and variable.
func (e *Engine) path(past []sliceState, states [][]int, values [][]float64) *Path {
	m := e.vars.m
	step := m.Step()
	n := len(m.Vars)
	out := &Path{Slices: make([]Completion, len(past))}
	for t := range past {
		state, value := make([]int, len(step.Vars)), make([]float64, len(step.Vars))
		if states != nil {
			copy(state, states[t])
		}
		if values != nil {
			copy(value, values[t])
		}
		of := m
		if t > 0 {
			of = step
			for i, v := range m.Transition.Before {
				if states != nil {
					state[n+i] = states[t-1][v]
				}
				if values != nil {
					value[n+i] = values[t-1][v]
				}
			}
		}
		out.LogProb += of.LogDensity(state, value)
		for _, v := range e.vars.seen {
			x := model.Value{State: state[v], Real: value[v]}
			out.Slices[t].States = append(out.Slices[t].States, Assignment{m.Vars[v].Name, m.Vars[v].Domain.Text(x), state[v], value[v]})
			if soft := past[t].found.Soft[v]; soft != nil {
				out.LogProb += math.Log(soft[state[v]])
			}
		}
	}
	return out
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
	if _, err := e.stream(ctx, ir.Smooth, filter.SmoothFirst); err != nil {
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
	err := l.f.e.back(ctx, l.past, l.f.n, func(t int, list []Distribution) bool {
		if t == l.f.n-1-lag {
			out = &Marginals{List: list, LogProb: l.f.logP}
		}
		return out == nil
	})
	return out, err
}
