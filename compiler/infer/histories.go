package infer

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer/internal/temporal"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/eval"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// branch is Step for a belief over histories: each goes on as many.
func (f *Filter) branch(ctx context.Context, found *Findings) (*Marginals, error) {
	var errors *temporal.Squares
	if f.state.Sampled {
		errors = &temporal.Squares{}
	}
	x, g, err := f.grow(ctx, found, errors)
	if err != nil {
		return nil, err
	}
	out := &Marginals{List: f.e.mixed(x)}
	f.logP = g.End(&f.state, f.logP)
	f.keep(g)
	out.LogProb = f.logP
	if errors != nil {
		out.Report = f.drawnReport()
		out.Report.Residual = errors.Largest(probabilitiesOf(out.List), g.Total())
	}
	return out, nil
}

// grow runs the next slice along all histories. It collects squares in errors, unless that is nil.
func (f *Filter) grow(ctx context.Context, found *Findings, errs *temporal.Squares) (*historySlice, *pgmrt.Growth, error) {
	later, err := f.e.of(ctx, f.entries(), 1)
	if err != nil {
		return nil, nil, err
	}
	x, err := f.e.along(ctx, f.entries(), f.n, found, false, errs)
	if err != nil {
		return nil, nil, err
	}
	h, in := later.entry.Stream.Histories, later.entry.Stream.In
	opt := pgmrt.HistoryOptions{Most: h.Most, Beyond: pgmrt.HistoriesBeyond(h.Beyond), States: later.Spans[in[0]].Len, Cards: f.e.cards(), Best: f.best}
	if len(in) > 1 {
		opt.Moments = later.Spans[in[1]].Len
	}
	if h.Draw != nil {
		opt.Resampling = pgmrt.Scheme(h.Draw.Scheme)
	}
	f.rule = h
	g := pgmrt.NewGrowth(opt, 0)
	g.Recall(f.recalls)
	var before []float64
	if f.past != nil {
		before, x.Partial = f.past.List(), h.Beyond == ir.DropHistories || f.state.Sampled
	}
	switch err = g.Grow(&x.HistoryProgram, before); {
	case errors.Is(err, pgmrt.ErrHistories):
		err = f.tooMany(ctx, opt.Moments)
	case errors.Is(err, pgmrt.ErrParticles) && h.Beyond == ir.DropHistories:
		err = f.noParticle(found, "Gaussians", "modes", h)
	case errors.Is(err, pgmrt.ErrParticles):
		err = f.noParticle(found, "particles", "particles", h)
	}
	return x, g, f.e.impossible(err, found, nil)
}

// keep makes the histories of g that go on the belief after the slice.
func (f *Filter) keep(g *pgmrt.Growth) {
	f.past, f.n = &pgmrt.HistoryFrame{}, f.n+1
	f.past.Copy(g)
}

// historySlice is an entry about a slice that runs along histories.
type historySlice struct {
	pgmrt.HistoryProgram
	p *program
	m *eval.Machine
}

// along returns an entry about slice t, with its evidence, that goes forwards or back along
// histories. It collects squares in errs, unless that is nil.
func (e *Engine) along(ctx context.Context, x sliceEntries, t int, found *Findings, back bool, errs *temporal.Squares) (*historySlice, error) {
	p, m, err := e.open(ctx, x, t, found)
	if err != nil {
		return nil, err
	}
	_, real := e.vars.m.SplitReal(e.vars.m.Transition.Before)
	spans := p.entry.Stream.History(back, t > 0, len(real) > 0)
	span := func(id ir.SpanID) []float64 {
		if id == ir.NoSpan {
			return nil
		}
		return m.Span(id)
	}
	s := &historySlice{p: p, m: m, HistoryProgram: pgmrt.HistoryProgram{State: span(spans.State), Moments: span(spans.Moments),
		After: span(spans.After), Element: span(spans.Element), Leaving: span(spans.Leaving), Left: span(spans.Left)}}
	var in [][]float64
	if t > 0 {
		in = [][]float64{s.State, s.Moments}
	}
	var list []Distribution
	s.Run = func() (float64, error) {
		switch err := e.runSlice(ctx, p, m, found, in); {
		case !back && errors.Is(err, ErrImpossible):
			return math.Inf(-1), nil
		case err != nil:
			return 0, err
		}
		if len(p.entry.Outs) > 0 {
			list, s.Mix = e.distributions(p, m), s.Mix[:0]
			for i := range list {
				s.Mix = append(s.Mix, list[i].Numbers())
			}
		}
		return m.LogP(), nil
	}
	if errs != nil {
		s.Mixed = func(weight, by float64) {
			errs.Rescale(by)
			errs.Add(probabilitiesOf(list), weight)
		}
	}
	return s, nil
}

// probabilitiesOf returns the probabilities of each distribution.
func probabilitiesOf(list []Distribution) [][]float64 {
	p := make([][]float64, len(list))
	for i := range list {
		p[i] = list[i].P
	}
	return p
}

// drawnReport describes the histories of a filter, of which some were drawn.
func (f *Filter) drawnReport() *Report {
	return sampledReport(&Report{Iterations: f.past.Size(), ESS: f.past.ESS(), LogError: math.Sqrt(f.state.Variance)})
}

// cards returns the numbers of states of the variables that are not latent, 0 for a real one.
func (e *Engine) cards() []int32 {
	list := make([]int32, len(e.vars.seen))
	for i, v := range e.vars.seen {
		if !e.vars.m.IsReal(v) {
			list[i] = int32(e.vars.m.Card(v))
		}
	}
	return list
}

// mixed returns the posteriors of a mixture, which x has.
func (e *Engine) mixed(x *historySlice) []Distribution {
	list := make([]Distribution, len(x.Mix))
	for i, v := range e.vars.seen {
		list[i] = e.distribution(v, x.Mix[i])
	}
	return list
}

// entries returns the entries that a belief over histories goes forwards by.
func (f *Filter) entries() sliceEntries {
	if f.best {
		return maximumEntries
	}
	return filterEntries
}

// tooMany returns the error of a belief that outgrew its limit, and what takes less.
func (f *Filter) tooMany(ctx context.Context, moments int) error {
	of, err := f.e.Growth(ctx)
	switch {
	case err != nil:
		return err
	case of == nil: // a path, of which values are maximised that do not persist
		return diag.Errorf("the most probable paths after slice %d end in more than %d joint states; limit: %v", f.n, f.rule.Most, diag.Option{Name: "max-table"})
	}
	instead := of.Instead()
	if f.paths {
		instead = of.InsteadOfPaths()
	}
	return diag.Errorf("the exact belief after slice %d has a Gaussian for each of more than %d histories of states, of %d bytes each, which suffice for %s; "+
		"limit: %v or %v; try an approximate belief: %v",
		f.n, f.rule.Most, ir.HistoryBytes(moments), of.Lasts(), diag.Option{Name: "max-table"}, diag.Option{Name: "max-mem"}, instead)
}

// Growth says how the belief of a filter grows. It is nil unless the belief is a mixture with a
// Gaussian for each history of states, all of which are kept.
func (e *Engine) Growth(ctx context.Context) (*compiler.Growth, error) {
	m := e.vars.m
	if len(m.Reals()) == len(m.Vars) || m.Transition == nil || !slices.ContainsFunc(m.Transition.Before, m.IsReal) {
		return nil, nil
	}
	name := ir.FilterNext
	e.mu.Lock()
	if e.streams[name] == nil && e.streams[ir.MaxNext] != nil { // of paths alone
		name = ir.MaxNext
	}
	e.mu.Unlock()
	p, err := e.stream(ctx, ir.Filter, name)
	if err != nil || p.entry.Stream.Histories == nil {
		return nil, err
	}
	return compiler.GrowthOf(ctx, e.vars.m, p.Program, p.entry.Stream.Histories.Most)
}

// Histories returns the number of histories of states of which the belief is a mixture; 0 if it is
// none.
func (f *Filter) Histories() int {
	if f.past == nil {
		return 0
	}
	return f.past.Size()
}
