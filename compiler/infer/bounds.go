package infer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer/internal/interval"
	"github.com/pgmc-go/pgmc/compiler/internal/bound"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Interval holds bounds of ln P of the evidence, and of posteriors. In a Markov network the bounds
// of ln P are bounds of ln of the sum of the product of its potentials, which is not divided by the
// partition function.
type Interval struct {
	LogProb      float64 // an estimate between the bounds
	Lower, Upper float64 // proven
	Exact        bool    // the bounds of ln P are equal, but for rounding
	Nodes        int     // partial assignments of the search

	// Samples is the number of samples of the estimate; 0 without any. Likely are the ends of a
	// confidence interval of theirs, which holds ln P with probability Level.
	Samples int
	Likely  [2]float64
	Level   float64

	// Marginals are estimates of the posteriors of the variables that are not latent. Least and
	// Most are proven bounds of each probability, by variable of Marginals and state, of
	// [Engine.Intervals]; if they are equal, the estimate is exact, up to rounding.
	Marginals   []Distribution
	Least, Most [][]float64
}

// Widest returns the largest distance between the bounds of a posterior.
func (i *Interval) Widest() float64 {
	width := 0.0
	for v := range i.Least {
		for k, least := range i.Least[v] {
			width = max(width, i.Most[v][k]-least)
		}
	}
	return width
}

// Interval bounds ln P of the evidence for discrete models of any width: by weighted mini-buckets,
// which it then refines by a search. If ctx has a deadline, Interval takes nearly all the time
// until then, and the interval shrinks with it; otherwise the work is counted and the answer the
// same on every machine. With a deadline, a model that suits [compiler.Patient] is compiled beside
// the bounds, with half of the memory, and a circuit that is complete in time gives the exact
// value. The limits are from the engine's options. Engines of all methods except bound search; an
// engine of method bound runs its compiled program, as packages do: with mini-buckets that were
// chosen without evidence, and without a search.
//
// Errors are errors of evidence, a [model.Untaken] if the model has real variables or no joint
// distribution, and an error that names the factor if one does not fit in a table.
func (e *Engine) Interval(ctx context.Context, given Given) (*Interval, error) {
	return e.interval(ctx, given, false)
}

// Intervals is [Engine.Interval] that bounds the posterior of each variable as well, for a share of
// the time: by the extremes of its posteriors given the states of the border of a region around it,
// mixed as the bounds of the border's variables allow (Leisink and Kappen 2003), by the
// mini-buckets of the product with each single state, and by the joint states that the search has
// summed.
func (e *Engine) Intervals(ctx context.Context, given Given) (*Interval, error) {
	return e.interval(ctx, given, true)
}

func (e *Engine) interval(ctx context.Context, given Given, each bool) (*Interval, error) {
	if p := e.method; p != nil && p.entry.Query.Kind == ir.Bounded {
		return e.fixedInterval(ctx, p, given)
	}
	f, m, err := e.conditioned(given)
	if err != nil {
		return nil, err
	}
	t, err := e.sum(ctx, m, each)
	if err != nil {
		return nil, err
	}
	if math.IsInf(t.Upper, -1) {
		return nil, e.impossible(ErrImpossible, f, nil)
	}
	return e.intervalOf(f, t, each), nil
}

// intervalOf returns what t knows of the model that f leaves; with each set, of all posteriors.
func (e *Engine) intervalOf(f *Findings, t *bound.Total, each bool) *Interval {
	out := &Interval{LogProb: t.Log, Lower: t.Lower, Upper: t.Upper, Exact: t.Exact, Nodes: t.Nodes}
	if n := t.Samples.Samples; n > 0 {
		out.Samples, out.Level = n, t.Samples.Level
		out.Likely = [2]float64{max(t.Lower, t.Samples.Lower), min(t.Upper, t.Samples.Upper)}
	}
	for _, v := range e.vars.seen {
		p := t.Marginals[v]
		x, known := f.Observed(e.vars.m.Vars[v])
		if known {
			p = make([]float64, e.vars.m.Card(v))
			p[x.State] = 1
		}
		out.Marginals = append(out.Marginals, e.distribution(v, p))
		if !each {
			continue
		}
		least, most := slices.Clone(p), slices.Clone(p)
		for k := range p {
			if !known {
				least[k], most[k] = max(0, t.Bounds[v][k].Lower), min(1, t.Bounds[v][k].Upper)
			}
		}
		out.Least, out.Most = append(out.Least, least), append(out.Most, most)
	}
	return out
}

// fixedInterval answers by p, the program of method bound. The estimates of posteriors are
// Within's.
func (e *Engine) fixedInterval(ctx context.Context, p *program, given Given) (*Interval, error) {
	f, err := e.resolve(given)
	if err != nil {
		return nil, err
	}
	m, _, err := e.iterate(ctx, p, f)
	if err != nil {
		return nil, err
	}
	out := &Interval{}
	out.Lower, out.Upper = m.Bounds()
	out.LogProb = (out.Lower + out.Upper) / 2
	if math.IsInf(out.Lower, -1) {
		out.LogProb = out.Upper
	}
	half := len(p.entry.Outs) / 2
	for i := range half {
		v := p.Spans[p.entry.Outs[i]].Var
		least, most := slices.Clone(m.Posterior(i)), slices.Clone(m.Posterior(half+i))
		out.Marginals = append(out.Marginals, e.distribution(v, Within(least, most)))
		out.Least, out.Most = append(out.Least, least), append(out.Most, most)
	}
	return out, nil
}

// Within returns the distribution at which each probability is at the same share of the way from
// its lower to its upper bound.
func Within(least, most []float64) []float64 {
	low, width := 0.0, 0.0
	for k, x := range least {
		low, width = low+x, width+most[k]-x
	}
	share := 0.0
	if width > 0 {
		share = min(max((1-low)/width, 0), 1)
	}
	out := make([]float64, len(least))
	for k, x := range least {
		out[k] = x + share*(most[k]-x)
	}
	return out
}

// Search finds most probable states of some variables by branch and bound, all others summed out,
// for discrete models of any width; without names, of all variables. Of equally probable states it
// finds the first: the states of earlier variables of the model are as low as possible. The report
// of the answer has a bound, and a gap of 0 if the states are proven to be best. If more states
// than it can compare exactly are as good up to rounding, the gap is the rounding. Without a
// deadline, the answer is the same on any number of cores. Deadlines and errors are as in
// [Engine.Interval]; the logarithm, in a Markov network, is of the sum of its product. If ctx ends
// before the search found possible states, the error is ctx's.
func (e *Engine) Search(ctx context.Context, given Given, names ...string) (*Completion, error) {
	targets, err := e.vars.all(names)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		targets = e.vars.seen
	}
	list, err := e.search(ctx, given, targets, len(names) == 0, 1)
	if err != nil {
		return nil, err
	}
	return &list[0], nil
}

// SearchBest is [Engine.Search] for the k most probable completions of the evidence, best first, or
// fewer if no more have a positive probability. The report of each says whether all of them are
// proven. k is at most compiler.MaxCompletions. Models with latent variables are refused, since two
// completions may differ only in those.
func (e *Engine) SearchBest(ctx context.Context, given Given, k int) ([]Completion, error) {
	if k < 1 || k > compiler.MaxCompletions {
		return nil, fmt.Errorf("%d completions are asked for; want 1 to %d", k, compiler.MaxCompletions)
	}
	if k > 1 && len(e.vars.seen) < len(e.vars.m.Vars) {
		return nil, errors.New("the model has latent variables, in which completions may differ; several completions of it take an exact method")
	}
	return e.search(ctx, given, e.vars.seen, true, k)
}

// search finds the k best joint states of targets, or with all set, of all variables.
func (e *Engine) search(ctx context.Context, given Given, targets []model.VarID, all bool, k int) ([]Completion, error) {
	f, m, err := e.conditioned(given)
	if err != nil {
		return nil, err
	}
	maxima := make([]bool, len(m.Vars))
	for v := range maxima {
		maxima[v] = all
	}
	for _, v := range targets {
		maxima[v] = true
	}
	opt := e.boundOptions()
	opt.Keep = k
	found, err := bound.Best(ctx, m, maxima, opt)
	if err != nil {
		return nil, err
	}
	if math.IsInf(found.Value, -1) {
		return nil, e.nothing(ctx, f, found, targets)
	}
	report := &Report{Status: "proven", Converged: true, Iterations: found.Nodes, Bound: found.Bound, Gap: found.Bound - found.Value}
	if !found.Proven {
		report.Status, report.Converged = "not proven", false
	}
	var list []Completion
	for _, x := range append([]bound.Assignment{{States: found.States, Value: found.Value}}, found.More...) {
		c := e.chosen(f, targets, &x)
		c.Report = report
		list = append(list, c)
	}
	return list, nil
}

// First is [Engine.Search] if that takes little work, some tenths of a second, as in networks that
// are narrow; otherwise it returns nil. Exact methods answer [Engine.MPE] and [Engine.MAP] with any
// of several equally probable states, and First with the first of them.
func (e *Engine) First(ctx context.Context, given Given, names ...string) (*Completion, error) {
	targets, err := e.vars.all(names)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		targets = e.vars.seen
	}
	f, m, err := e.conditioned(given)
	if err != nil {
		return nil, err
	}
	maxima := make([]bool, len(m.Vars))
	for v := range maxima {
		maxima[v] = len(names) == 0
	}
	for _, v := range targets {
		maxima[v] = true
	}
	found, err := bound.First(ctx, m, maxima, e.boundOptions())
	if err != nil || found == nil {
		return nil, err
	}
	if math.IsInf(found.Value, -1) {
		return nil, e.impossible(ErrImpossible, f, nil)
	}
	c := e.chosen(f, targets, &bound.Assignment{States: found.States, Value: found.Value})
	return &c, nil
}

// chosen returns the states of targets that x or the evidence has.
func (e *Engine) chosen(f *Findings, targets []model.VarID, x *bound.Assignment) Completion {
	return e.completion(targets, func(v model.VarID) model.Value {
		if x, known := f.Observed(e.vars.m.Vars[v]); known {
			return x
		}
		return model.Value{State: x.States[v]}
	}, x.Value)
}

// nothing returns the error of a search that found no possible states of targets.
func (e *Engine) nothing(ctx context.Context, f *Findings, found *bound.Incumbent, targets []model.VarID) error {
	switch {
	case math.IsInf(found.Bound, -1):
		return e.impossible(ErrImpossible, f, nil)
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	}
	out := &NothingFoundError{Bound: found.Bound}
	if found.Guess != nil {
		c := e.chosen(f, targets, found.Guess)
		out.Guess = &c
	}
	return out
}

// conditioned returns the findings of given, and the model that they leave, as a product of
// potentials.
func (e *Engine) conditioned(given Given) (*Findings, *model.Model, error) {
	f, err := e.resolve(given)
	if err != nil {
		return nil, nil, err
	}
	if f.Jeffrey != nil {
		return nil, nil, errJeffrey
	}
	if err := model.Refuse("search", "for bounds", 0, e.vars.m.Needs(), compiler.Takers(e.vars.m.Needs())); err != nil {
		return nil, nil, err
	}
	m, err := interval.Conditioned(e.vars.m, evidenceOf(f), e.maxTable())
	return f, m, err
}

func (e *Engine) maxTable() int {
	if e.opt.MaxTable > 0 {
		return e.opt.MaxTable
	}
	return compiler.DefaultMaxTable
}

func (e *Engine) boundOptions() bound.Options {
	opt := bound.Options{MaxTable: e.maxTable(), MaxMem: e.opt.MaxMem, Seed: e.opt.Seed, Discrepancies: e.runs.Discrepancies}
	if tell := e.runs.Progress; tell != nil {
		opt.Report = func(p bound.Progress) { tell(Progress(p)) }
	}
	return opt
}
