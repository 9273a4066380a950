package infer

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/compiler/method/clg"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// particles is a belief of weighted samples: for each particle the states and values of the
// variables of a slice, by variable. A value does not change once it is made.
type particles struct {
	state  [][]int
	value  [][]float64
	weight []float64 // they sum to 1
}

// ess returns the effective sample size of weights that sum to 1: the number of samples of equal
// weight with the same variance of a mean.
func ess(weight []float64) float64 {
	sum := 0.0
	for _, w := range weight {
		sum += float64(w * w)
	}
	return 1 / sum
}

// sampler draws the particles of a slice.
type sampler struct {
	m      *model.Model // of the slice, with the variables before it
	order  []model.VarID
	found  *Findings
	r      *pgmrt.Rand
	inform *Engine // of the slice; nil if particles are drawn from the CPDs
}

// sampler returns what draws the next slice of f.
func (f *Filter) sampler(ctx context.Context, found *Findings, draw *ir.Draw, r *pgmrt.Rand) (*sampler, error) {
	base := f.e.vars.m
	slice := *base
	slice.Transition = nil
	s := &sampler{m: &slice, found: found, r: r}
	if f.cloud != nil {
		s.m = base.Step()
	}
	for _, v := range s.m.Topological() {
		if int(v) < len(base.Vars) {
			s.order = append(s.order, v)
		}
	}
	for v, soft := range found.Soft {
		if soft != nil && base.IsReal(model.VarID(v)) {
			return nil, fmt.Errorf("variable %q is measured; particles take values of real variables alone", base.Vars[v].Name)
		}
	}
	if !draw.Informed {
		return s, nil
	}
	var err error
	s.inform, err = f.e.slices(ctx, f.cloud != nil, s.m)
	return s, err
}

// draw draws the slice of one particle, whose variables before the slice are set. It returns ln of
// what its weight is multiplied by.
func (s *sampler) draw(ctx context.Context, state []int, x []float64) (log float64, err error) {
	if s.inform != nil {
		return s.posterior(ctx, state, x)
	}
	for _, v := range s.order {
		at, known := s.found.Observed(s.m.Vars[v])
		f := s.m.CPD(v)
		switch {
		case known:
			state[v], x[v] = at.State, at.Real
			if f != nil {
				log += s.m.LogFactor(f, state, x)
			}
		case f == nil:
			return 0, fmt.Errorf("variable %q is given and not observed; want a value", s.m.Vars[v].Name)
		default:
			if err := s.m.Draw(f, s.r, state, x); err != nil {
				return 0, err
			}
		}
		if soft := s.found.Soft[v]; soft != nil && !known {
			log += math.Log(soft[state[v]])
		}
	}
	return log, nil
}

// posterior draws the slice given its evidence, and returns ln of the density of that.
func (s *sampler) posterior(ctx context.Context, state []int, x []float64) (float64, error) {
	given := NewFindings(len(s.m.Vars))
	copy(given.State, s.found.State)
	copy(given.Value, s.found.Value)
	copy(given.Soft, s.found.Soft)
	n := len(s.found.State)
	for i, v := range s.m.Vars[n:] {
		given.Observe(v, model.Value{State: state[n+i], Real: x[n+i]})
	}
	log, err := s.inform.LogProb(ctx, given)
	if err != nil || math.IsInf(log, -1) {
		return log, err
	}
	for _, m := range s.inform.machines { // one, which LogProb has made
		m.Rand = s.r
	}
	for values, err := range s.inform.Values(ctx, given) {
		if err != nil {
			return 0, err
		}
		for v, value := range values[:n] {
			state[v], x[v] = value.State, value.Real
		}
		break
	}
	return log, nil
}

// slices returns an engine of the network of a slice, in which no variable is latent. Method clg
// takes the variables before it as given ones, also if all are discrete.
func (e *Engine) slices(ctx context.Context, later bool, m *model.Model) (*Engine, error) {
	if e.informed[later] == nil {
		open := *m
		open.Vars = nil
		for _, v := range m.Vars {
			w := *v
			w.Latent = false
			open.Vars = append(open.Vars, &w)
		}
		of, err := New(ctx, &open, Options{Method: clg.NewOptions(), Seed: e.opt.Seed, Queries: []string{"logprob", "sample"}})
		if err != nil {
			return nil, fmt.Errorf("a proposal by the posterior of a slice: %w", err)
		}
		if e.informed == nil {
			e.informed = map[bool]*Engine{}
		}
		e.informed[later] = of
	}
	return e.informed[later], nil
}

// draw is Step for a belief of particles.
func (f *Filter) draw(ctx context.Context, found *Findings, rule *ir.Histories) (*Marginals, error) {
	r := *f.rand
	s, err := f.sampler(ctx, found, rule.Draw, &r)
	if err != nil {
		return nil, err
	}
	next := &particles{weight: make([]float64, rule.Most)}
	logs := make([]float64, rule.Most)
	most := math.Inf(-1)
	for i := range logs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		state, x, weight := f.started(s.m, i, rule.Most)
		log, err := s.draw(ctx, state, x)
		if err != nil && !errors.Is(err, ErrImpossible) {
			return nil, err
		}
		if err != nil || weight == 0 || math.IsNaN(log) {
			log = math.Inf(-1)
		}
		next.state, next.value = append(next.state, state), append(next.value, x)
		next.weight[i], logs[i] = weight, log
		most = max(most, log)
	}
	total := 0.0
	for i, log := range logs {
		logs[i] = math.Exp(log - most)
		total += float64(next.weight[i] * logs[i])
	}
	if math.IsInf(most, -1) || !(total > 0) {
		return nil, &ImpossibleError{Evidence: found.Text(f.e.vars.m), Report: &Report{Status: pgmrt.NotConverged.String()}}
	}
	spread := 0.0 // the relative variance of the estimate of P
	for i := range logs {
		off := float64(next.weight[i] * (logs[i]/total - 1))
		spread += float64(off * off)
		next.weight[i] *= logs[i] / total
	}
	f.logP, f.spread, f.n, f.rand = f.logP+most+math.Log(total), f.spread+spread, f.n+1, &r
	out := &Marginals{List: f.e.weighed(next), LogProb: f.logP}
	out.Report = f.report(next.weight, errorOf(out.List, next.weight, f.e, next))
	f.cloud = next.resampled(rule, &r)
	return out, nil
}

// started returns the variables of a slice for particle i, with those before it set, and its
// weight.
func (f *Filter) started(m *model.Model, i, n int) (state []int, x []float64, weight float64) {
	state, x, weight = make([]int, len(m.Vars)), make([]float64, len(m.Vars)), 1/float64(n)
	if f.cloud != nil {
		weight = f.cloud.weight[i]
		size := len(f.e.vars.m.Vars)
		for k, v := range f.e.vars.m.Transition.Before {
			state[size+k], x[size+k] = f.cloud.state[i][v], f.cloud.value[i][v]
		}
	}
	return state, x, weight
}

// weighed returns the posteriors of weighted particles.
func (e *Engine) weighed(p *particles) []Distribution {
	list := make([]Distribution, len(e.vars.seen))
	for i, v := range e.vars.seen {
		if e.vars.m.IsReal(v) {
			mean, variance := 0.0, 0.0
			for k, w := range p.weight {
				mean += float64(w * p.value[k][v])
			}
			for k, w := range p.weight {
				off := p.value[k][v] - mean
				variance += float64(w * float64(off*off))
			}
			list[i] = e.distribution(v, []float64{mean, variance})
			continue
		}
		numbers := make([]float64, e.vars.m.Card(v))
		for k, w := range p.weight {
			numbers[p.state[k][v]] += w
		}
		list[i] = e.distribution(v, numbers)
	}
	return list
}

// errorOf returns the largest standard error of a probability of list.
func errorOf(list []Distribution, weight []float64, e *Engine, p *particles) float64 {
	most := 0.0
	for i, v := range e.vars.seen {
		for s, mean := range list[i].P {
			sum := 0.0
			for k, w := range weight {
				off := -mean
				if p.state[k][v] == s {
					off++
				}
				sum += float64(w * w * off * off)
			}
			most = max(most, math.Sqrt(sum))
		}
	}
	return most
}

// report describes a slice. A number of particles whose standard errors can be relied on is said to
// have converged.
func (f *Filter) report(weight []float64, residual float64) *Report {
	r := &Report{Status: pgmrt.NotConverged.String(), Iterations: len(weight), Residual: residual, ESS: ess(weight), LogError: math.Sqrt(f.spread)}
	if r.ESS >= pgmrt.TrialEnough {
		r.Status, r.Converged = pgmrt.Converged.String(), true
	}
	return r
}

// resampled returns p, or as many particles drawn from it if their weights differ too much.
func (p *particles) resampled(rule *ir.Histories, r *pgmrt.Rand) *particles {
	n := len(p.weight)
	if ess(p.weight) >= rule.Draw.Enough*float64(n) {
		return p
	}
	out := &particles{}
	for i, times := range resample(rule.Draw.Scheme, p.weight, n, r) {
		for range times {
			out.state, out.value = append(out.state, p.state[i]), append(out.value, p.value[i])
			out.weight = append(out.weight, 1/float64(n))
		}
	}
	return out
}
