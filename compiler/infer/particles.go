package infer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer/internal/temporal"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// cloud returns the belief of a particle filter before its first slice.
func (e *Engine) cloud(ctx context.Context, h *ir.Histories) (*pgmrt.Cloud, error) {
	d := pgmrt.CloudOptions{Particles: h.Most, Seed: h.Draw.Seed, Resampling: pgmrt.Scheme(h.Draw.Scheme), Enough: h.Draw.Enough, Ahead: h.Draw.Ahead, Moves: h.Draw.Moves}
	discrete, real := e.vars.m.SplitReal(e.vars.m.IDs())
	d.States, d.Values = len(discrete), len(real)
	if k := h.Draw.Kept; k != nil {
		d.Values = k.Values
		for _, at := range k.Spread {
			d.Spread = append(d.Spread, int32(at))
		}
	}
	for _, name := range []string{ir.FilterFirst, ir.FilterNext} {
		p, err := e.stream(ctx, ir.Filter, name)
		if err != nil {
			return nil, err
		}
		_, count := p.entry.Stream.Particle(e.vars.m)
		d.Certain = d.Certain || count != ir.NoSpan
	}
	return pgmrt.NewCloud(d, d), nil
}

// drawer returns what draws the next slice of f.
func (f *Filter) drawer(ctx context.Context, found *Findings) (*drawer, error) {
	base := f.e.vars.m
	for v, soft := range found.Soft {
		if soft != nil && base.IsReal(model.VarID(v)) {
			return nil, fmt.Errorf("variable %q is measured; particles take values of real variables alone", base.Vars[v].Name)
		}
	}
	p, err := f.e.of(ctx, filterEntries, f.n)
	if err != nil {
		return nil, err
	}
	m, err := f.e.enter(p, found)
	if err != nil {
		return nil, err
	}
	m.Rand = f.cloud.Rand()
	s := &drawer{ctx: ctx, m: m, p: p, base: base, found: found}
	s.values, s.certain = p.entry.Stream.Particle(base)
	s.discrete, _ = base.SplitReal(base.IDs())
	if f.n > 0 {
		s.places = temporal.NewPlaces(base)
	}
	return s, nil
}

// drawer draws a slice of one particle after the other, by the program of one.
type drawer struct {
	ctx             context.Context
	m               *eval.Machine
	p               *program
	base            *model.Model
	found           *Findings
	places          *temporal.Places // nil in slice 0
	entered         bool
	discrete        []model.VarID
	values, certain ir.SpanID
}

// draw is a [pgmrt.DrawParticle].
func (s *drawer) draw(c *pgmrt.Cloud, i int) (log, certain float64, err error) {
	if err := s.ctx.Err(); err != nil {
		return 0, 0, err
	}
	if s.places != nil {
		s.enter(c.Before(i))
	}
	if s.entered && s.p.entry.Exp == ir.NoSpan { // which a run begins with
		for _, b := range s.p.entry.Blocks {
			s.m.RunBlock(b)
		}
	} else if err := s.m.RunContext(s.ctx, s.p.entry); err != nil && !errors.Is(err, ErrImpossible) {
		return 0, 0, err
	}
	s.entered = true
	if log = s.m.LogP(); math.IsNaN(log) || math.IsInf(log, 1) {
		return 0, 0, fmt.Errorf("the density of %s is not finite for a particle: it fixes a value that is a function of others", s.found.Text(s.base))
	}
	states, values := c.New(i)
	for k, v := range s.discrete {
		states[k] = s.m.State()[v]
	}
	if s.values != ir.NoSpan {
		copy(values, s.m.Span(s.values))
	}
	if s.certain != ir.NoSpan {
		certain = s.m.Span(s.certain)[0]
	}
	return log, certain, nil
}

// enter enters a particle of the slice before.
func (s *drawer) enter(states []int32, values []float64) {
	in := s.p.entry.Stream
	if in.JointBefore(len(s.places.State)) {
		joint := 0
		for _, at := range s.places.State {
			joint = joint*s.base.Card(s.discrete[at]) + int(states[at])
		}
		span := s.m.Span(in.In[0])
		clear(span)
		span[joint] = 1
	} else {
		for k, at := range s.places.State {
			s.m.State()[s.places.As[k]] = states[at]
		}
	}
	for k, at := range s.places.Value {
		s.m.Span(in.In[len(in.In)-1])[k] = values[at]
	}
	if kept := in.Histories.Draw.Kept; kept != nil {
		for k, at := range kept.Carried {
			s.m.Span(in.In[len(in.In)-1])[len(s.places.Value)+k] = values[at]
		}
	}
}

// draw is Step for a belief of particles.
func (f *Filter) draw(ctx context.Context, found *Findings, rule *ir.Histories) (*Marginals, error) {
	s, err := f.drawer(ctx, found)
	if err != nil {
		return nil, err
	}
	before := f.cloud
	if rule.Draw.Moves > 0 { // which may fail when the slice has been entered
		before = f.cloud.Clone()
	}
	if err := f.cloud.Step(s.draw, 0); errors.Is(err, pgmrt.ErrParticles) {
		return nil, f.noParticle(found, "particles", "particles", rule)
	} else if err != nil {
		return nil, err
	}
	out := &Marginals{List: f.e.sampled(f.cloud), LogProb: f.cloud.LogP()}
	out.Report = cloudReport(f.cloud, f.e.errorOf(out.List, f.cloud))
	if err := f.cloud.Move(s.draw); err != nil {
		f.cloud = before
		return nil, err
	}
	f.logP, f.n = f.cloud.LogP(), f.cloud.Slices()
	return out, nil
}

// place returns the place of a variable in a particle: that among the variables of its domain.
func (e *Engine) place(v model.VarID) int {
	discrete, real := e.vars.m.SplitReal(e.vars.m.IDs())
	return max(slices.Index(discrete, v), slices.Index(real, v))
}

// samples are the states and values of weighted or drawn samples of a slice.
type samples interface {
	Moments(k int) (mean, variance float64)
	Circular(k int, period float64) (mean, variance float64)
	Probabilities(k int, out []float64)
}

// sampled returns the posteriors of the variables of a slice by samples.
func (e *Engine) sampled(s samples) []Distribution {
	list := make([]Distribution, len(e.vars.seen))
	for i, v := range e.vars.seen {
		numbers := make([]float64, 2)
		if period := e.vars.m.Period(v); period != 0 {
			numbers[0], numbers[1] = s.Circular(e.place(v), period)
		} else if e.vars.m.IsReal(v) {
			numbers[0], numbers[1] = s.Moments(e.place(v))
		} else {
			numbers = make([]float64, e.vars.m.Card(v))
			s.Probabilities(e.place(v), numbers)
		}
		list[i] = e.distribution(v, numbers)
	}
	return list
}

// errorOf returns the largest standard error of a probability of list.
func (e *Engine) errorOf(list []Distribution, c *pgmrt.Cloud) float64 {
	most := 0.0
	for i, v := range e.vars.seen {
		k := e.place(v)
		for s, mean := range list[i].P {
			sum := 0.0
			for j := range c.Size() {
				states, _, w := c.Particle(j)
				off := -mean
				if int(states[k]) == s {
					off++
				}
				sum += float64(w * w * off * off)
			}
			most = max(most, math.Sqrt(sum))
		}
	}
	return most
}

// cloudReport describes a slice. A number of particles whose standard errors can be relied on is
// said to have converged.
func cloudReport(c *pgmrt.Cloud, residual float64) *Report {
	return sampledReport(&Report{Iterations: c.Size(), Residual: residual, ESS: c.ESS(), LogError: c.LogError()})
}

// sampledReport sets the status of a report by its effective sample size.
func sampledReport(r *Report) *Report {
	r.Status = pgmrt.NotConverged.String()
	if r.ESS >= pgmrt.TrialEnough {
		r.Status, r.Converged = pgmrt.Converged.String(), true
	}
	return r
}

// noParticle returns the error of a slice with evidence that agrees with none of the kept things,
// such as particles. Option is the name of their number.
func (f *Filter) noParticle(found *Findings, kept, option string, rule *ir.Histories) error {
	m := f.e.vars.m
	text, args := "none of the %d %s agrees with %s, which need not be impossible; try %v", []any{rule.Most, kept, found.Text(m), diag.Option{Name: option, Value: strconv.Itoa(10 * rule.Most)}}
	if d := rule.Draw; d != nil && d.Whole && d.Kept == nil && d.Proposal == ir.FromCPDs && m.Traits()&(model.Funcs|model.SoftChildren) == 0 {
		text, args = text+", %v", append(args, diag.Option{Name: "proposal", Value: ir.FromPosterior.String()})
	}
	if m.Traits()&(model.Funcs|model.SoftChildren) == 0 {
		text, args = text+", or %v, which is exact", append(args, compiler.By(method.ExactFilter))
	}
	return &NoParticleError{diag.Errorf(text, args...)}
}
