package infer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Filter follows one sequence of a model with a transition, slice by slice, in constant memory. A
// filter is for one goroutine at a time, and so are all filters of one engine together.
type Filter struct {
	e          *Engine
	belief     [][]float64         // about the variables that persist, given the evidence so far
	past       *pgmrt.HistoryFrame // instead of belief, if that is a mixture over histories
	state      pgmrt.HistoryState  // beside past
	cloud      *pgmrt.Cloud        // instead of belief, if that is particles
	recalls    bool                // histories know how they came about
	best       bool                // histories are those of most probable paths
	paths      bool                // single histories are followed back, for paths or draws
	rule       *ir.Histories       // what is kept of past; nil before the first slice
	n          int
	logP       float64
	bound      *Divergence // nil unless bounds are wanted
	divergence *divergence // computes bound
}

// Filter returns a filter before its first slice. The model must have a transition.
func (e *Engine) Filter(ctx context.Context) (*Filter, error) {
	p, err := e.stream(ctx, ir.Filter, ir.FilterFirst)
	if err != nil {
		return nil, err
	}
	f := &Filter{e: e}
	switch h := p.entry.Stream.Histories; {
	case h == nil || h.Draw == nil:
	case h.Draw.Whole:
		f.cloud, err = e.cloud(ctx, h)
	default:
		f.state.Rand = *pgmrt.NewRand(h.Draw.Seed)
	}
	return f, err
}

// Clone returns a filter with the same past, which goes its own way from now on.
func (f *Filter) Clone() *Filter {
	c := *f
	if f.cloud != nil {
		c.cloud = f.cloud.Clone()
	}
	return &c
}

// Len returns the number of slices so far.
func (f *Filter) Len() int { return f.n }

// LogProb returns ln P of the evidence so far.
func (f *Filter) LogProb() float64 { return f.logP }

// Step enters the evidence on the next slice. It returns the posteriors of the variables of the
// slice given the evidence up to it, and ln P of all evidence so far. An error, such as an
// [ImpossibleError] or an [UndefinedError], leaves f as it was.
func (f *Filter) Step(ctx context.Context, given Given) (*Marginals, error) {
	found, err := f.e.resolve(given)
	if err != nil {
		return nil, err
	}
	x, err := f.e.stream(ctx, ir.Filter, ir.FilterFirst)
	if err != nil {
		return nil, err
	}
	if h := x.entry.Stream.Histories; h != nil && h.Draw != nil && h.Draw.Whole {
		return f.draw(ctx, found, h)
	} else if h != nil {
		return f.branch(ctx, found)
	}
	p, m, err := f.e.slice(ctx, filterEntries, f.n, found, f.belief)
	if err != nil {
		return nil, err
	}
	out, logP, bound := outOf(p, m), f.logP+m.LogP(), f.bound
	if bound != nil {
		if bound, err = f.divergence.next(ctx, *bound, f.n, found, f.belief, out); err != nil {
			return nil, err
		}
	}
	f.belief, f.logP, f.n, f.bound = out, logP, f.n+1, bound
	return &Marginals{List: f.e.distributions(p, m), LogProb: logP, Divergence: bound}, nil
}

// sliceEntries are the entries of a query about one slice: that of slice 0, and that of later ones.
type sliceEntries struct {
	kind        ir.QueryKind
	first, next string
}

var (
	filterEntries  = sliceEntries{ir.Filter, ir.FilterFirst, ir.FilterNext}
	smoothEntries  = sliceEntries{ir.Smooth, ir.SmoothFirst, ir.SmoothNext}
	maximumEntries = sliceEntries{ir.Viterbi, ir.MaxFirst, ir.MaxNext}
	traceEntries   = sliceEntries{ir.Viterbi, ir.TraceFirst, ir.TraceNext}
	drawEntries    = sliceEntries{ir.Trajectory, ir.DrawFirst, ir.DrawNext}
)

// of returns the program with the entry about slice t.
func (e *Engine) of(ctx context.Context, x sliceEntries, t int) (*program, error) {
	if t == 0 {
		return e.stream(ctx, x.kind, x.first)
	}
	return e.stream(ctx, x.kind, x.next)
}

// slice runs the entry about slice t, with the numbers that enter by its stream.
func (e *Engine) slice(ctx context.Context, x sliceEntries, t int, found *Findings, in [][]float64) (*program, *eval.Machine, error) {
	p, m, err := e.open(ctx, x, t, found)
	if err != nil {
		return nil, nil, err
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
	return p, m, e.runSlice(ctx, p, m, found, in)
}

// open enters the evidence on slice t into the machine of an entry about it. Found may have states
// of latent variables that persist, which only tracing back observes.
func (e *Engine) open(ctx context.Context, x sliceEntries, t int, found *Findings) (*program, *eval.Machine, error) {
	p, err := e.of(ctx, x, t)
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
	return p, m, nil
}

// runSlice runs the entry of p. What entered is only for errors.
func (e *Engine) runSlice(ctx context.Context, p *program, m *eval.Machine, found *Findings, in [][]float64) error {
	if err := m.RunContext(ctx, p.entry); err != nil {
		if errors.Is(err, ErrImpossible) {
			err = e.undefined(err, found, in)
		}
		return e.impossible(err, found, nil)
	}
	if x := m.LogP(); math.IsNaN(x) || math.IsInf(x, 1) {
		return fmt.Errorf("the density of %s is not finite: it fixes a value that is a function of others", found.Text(e.vars.m))
	}
	return nil
}

// outOf returns a copy of the numbers that leave by the stream of the last run; nil if none do.
func outOf(p *program, m *eval.Machine) (out [][]float64) {
	for _, id := range p.entry.Stream.Out {
		out = append(out, slices.Clone(m.Span(id)))
	}
	return out
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
