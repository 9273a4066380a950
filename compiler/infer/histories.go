package infer

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// histories is a belief that is a mixture: for each history, the joint state of the discrete
// variables that persist, its probability, and the moments of the real ones. A value does not
// change once it is made.
type histories struct {
	pgmrt.HistoryFrame
	sampled bool // some were drawn
}

// branch is Step for a belief over histories: each goes on as many.
func (f *Filter) branch(ctx context.Context, found *Findings) (*Marginals, error) {
	p, err := f.e.stream(ctx, ir.Filter, ir.FilterNext)
	if err != nil {
		return nil, err
	}
	g := f.growth(p, found)
	if f.past != nil && f.past.sampled {
		g.errors = &squares{}
	}
	if err := g.growAll(ctx); err != nil {
		return nil, err
	}
	out := &Marginals{List: f.e.mixed(&g.Posteriors), LogProb: g.LogP(f.logP)}
	r := f.rand
	if g.rule.Draw != nil {
		drawn := *f.rand
		r = &drawn
	}
	f.past, f.logP, f.n, f.rand = g.keep(r), out.LogProb, f.n+1, r
	if g.errors != nil {
		f.spread += g.Variance()
		f.past.sampled = true
		out.Report = f.drawnReport()
		out.Report.Residual = g.errors.largest(out.List, g.Total())
	}
	return out, nil
}

// growAll runs the slice for all histories.
func (g *growth) growAll(ctx context.Context) error {
	var impossible *ImpossibleError
	n := 1
	if g.f.past != nil {
		n = g.f.past.Size()
	}
	for i := range n {
		err := g.grow(ctx, i)
		if err != nil && !errors.As(err, &impossible) {
			return err
		}
		if g.Full() != nil {
			return g.tooMany(ctx)
		}
	}
	switch {
	case g.Total() > 0:
		return nil
	case g.f.past != nil && g.rule.Beyond == ir.DropHistories:
		return g.f.noParticle(g.found, "Gaussians", "modes", g.rule)
	case g.f.past != nil && g.f.past.sampled:
		return g.f.noParticle(g.found, "particles", "particles", g.rule)
	case impossible == nil:
		impossible = &ImpossibleError{Evidence: g.found.Text(g.f.e.vars.m)}
	}
	return impossible
}

// drawnReport describes the histories of a filter; it is nil if none were drawn.
func (f *Filter) drawnReport() *Report {
	if f.past == nil || !f.past.sampled {
		return nil
	}
	return sampledReport(&Report{Iterations: f.past.Size(), ESS: pgmrt.EffectiveSize(f.past.Weights()), LogError: math.Sqrt(f.spread)})
}

// growth collects what the histories of a slice lead to.
type growth struct {
	*pgmrt.Growth
	f       *Filter
	found   *Findings
	rule    *ir.Histories
	moments int      // numbers of a history
	states  int      // joint states of the discrete variables that persist
	errors  *squares // nil if nothing was drawn
}

// growth returns the beginning of a slice with evidence; p has the entry of a later slice.
func (f *Filter) growth(p *program, found *Findings) *growth {
	h := p.entry.Stream.Histories
	in := p.entry.Stream.In
	states := p.Spans[in[0]].Len
	opt := pgmrt.HistoryOptions{Most: h.Most, Beyond: pgmrt.HistoriesBeyond(h.Beyond), States: states, Cards: f.e.cards(), Best: f.best}
	if len(in) > 1 {
		opt.Moments = p.Spans[in[1]].Len
	}
	if h.Draw != nil {
		opt.Resampling = pgmrt.Scheme(h.Draw.Scheme)
	}
	f.rule = h
	g := &growth{Growth: pgmrt.NewGrowth(opt, 0), f: f, found: found, rule: h, states: states, moments: opt.Moments}
	g.Recall(f.recalls)
	g.Reset()
	return g
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

// mixed returns the posteriors of a mixture, which is complete.
func (e *Engine) mixed(p *pgmrt.Posteriors) []Distribution {
	p.Finish()
	list, rest := make([]Distribution, len(e.vars.seen)), slices.Clone(p.Numbers())
	for i, card := range e.cards() {
		n := 2
		if card > 0 {
			n = int(card)
		}
		list[i], rest = e.distribution(e.vars.seen[i], rest[:n:n]), rest[n:]
	}
	return list
}

// grow runs the slice for one history.
func (g *growth) grow(ctx context.Context, i int) error {
	f, in, weight := g.f, [][]float64(nil), 1.0
	if f.past != nil {
		weight = f.past.Weight(i)
		in = [][]float64{oneHot(g.states, int(f.past.State(i))), f.past.Moments(i)}
	}
	p, m, err := f.e.slice(ctx, f.entries(), f.n, g.found, in)
	if err != nil {
		return err
	}
	g.From(i)
	after, by := g.Enter(pgmrt.Ln(weight)+m.LogP(), weight)
	if g.errors != nil {
		g.errors.rescale(by)
	}
	if after == 0 { // beside the weights of others
		return nil
	}
	if !f.best {
		list := f.e.distributions(p, m)
		if g.errors != nil {
			g.errors.add(list, after)
		}
		for k := range list {
			g.Mix(list[k].Numbers())
		}
	}
	out := append(outOf(p, m), nil)
	g.Leave(out[0], out[1])
	return nil
}

// entries returns the entries that a belief over histories goes forwards by.
func (f *Filter) entries() sliceEntries {
	if f.best {
		return maximumEntries
	}
	return filterEntries
}

// oneHot returns n numbers, of which one is 1 and the others are 0.
func oneHot(n, one int) []float64 {
	list := make([]float64, n)
	list[one] = 1
	return list
}

// keep returns the histories that go on, with probabilities.
func (g *growth) keep(r *pgmrt.Rand) *histories {
	out := &histories{sampled: g.Keep(r)}
	out.Copy(g.Growth)
	return out
}

// tooMany returns the error of a belief that outgrew its limit, and what takes less.
func (g *growth) tooMany(ctx context.Context) error {
	of, err := g.f.e.Growth(ctx)
	switch {
	case err != nil:
		return err
	case of == nil: // a path, of which values are maximised that do not persist
		return diag.Errorf("the most probable paths after slice %d end in more than %d joint states; limit: %v", g.f.n, g.rule.Most, diag.Option{Name: "max-table"})
	}
	instead := of.Instead()
	if g.f.paths {
		instead = of.InsteadOfPaths()
	}
	return diag.Errorf("the exact belief after slice %d has a Gaussian for each of more than %d histories of states, of %d bytes each, which suffice for %s; "+
		"limit: %v or %v; try an approximate belief: %v",
		g.f.n, g.rule.Most, ir.HistoryBytes(g.moments), of.Lasts(), diag.Option{Name: "max-table"}, diag.Option{Name: "max-mem"}, instead)
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
