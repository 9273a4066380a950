package infer

import (
	"context"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// This file smooths beliefs of particles by backward simulation (Godsill, Doucet and West 2004,
// "Monte Carlo smoothing for nonlinear time series"): a trajectory ends at a particle of the last
// slice, drawn by its weight, and goes back from each slice to a particle of the one before, drawn
// by its weight times the density of what follows given it. So trajectories are not bound to the
// few ancestors that the last particles have in early slices. The cost is trajectories times
// particles times slices.

// frame holds the particles of a slice.
type frame struct {
	states []int32
	values []float64
	weight []float64
	from   []int // the particle of the slice before that each went on from
}

// frame returns a copy of the particles.
func frameOf(c *pgmrt.Cloud) *frame {
	x := &frame{}
	for i := range c.Size() {
		states, values, w := c.Particle(i)
		x.states, x.values, x.weight = append(x.states, states...), append(x.values, values...), append(x.weight, w)
		x.from = append(x.from, c.From(i))
	}
	return x
}

// bytes returns the bytes of a frame.
func (x *frame) bytes() int64 {
	return 4*int64(len(x.states)) + 8*int64(len(x.values)+len(x.weight)+len(x.from))
}

// backParticles draws trajectories back over the last slices of a filter, down to slice from, and
// calls each with the posteriors of one given all evidence so far. The slices of past are the last
// ones.
func (f *Filter) backParticles(ctx context.Context, past []sliceState, from int, each func(t int, m *Marginals)) error {
	p, err := f.e.stream(ctx, ir.Smooth, ir.FilterFirst)
	if err != nil {
		return err
	}
	draw := p.entry.Stream.Histories.Draw
	b := newBackDraw(f.e, draw)
	last := len(past) - 1
	for k := range b.at {
		b.at[k] = b.choose(past[last].cloud.weight)
	}
	for t := f.n - 1; ; t-- {
		here := past[last-(f.n-1-t)]
		each(t, b.answer(here.cloud, f))
		if t == from {
			return nil
		}
		before := past[last-(f.n-t)]
		for k := range b.at {
			if err := ctx.Err(); err != nil {
				return err
			}
			b.at[k] = b.back(before.cloud, here.cloud, b.at[k])
		}
	}
}

// backDraw draws trajectories, slice by slice.
type backDraw struct {
	e      *Engine
	m      *model.Model // of a slice and the variables before it
	cpds   []*model.Factor
	places *places
	vars   []model.VarID // all variables of a slice: discrete ones, then real ones
	nd     int           // of which discrete
	r      *pgmrt.Rand
	at     []int // by trajectory: its particle in the slice

	state []int
	x     []float64
	logs  []float64
}

func newBackDraw(e *Engine, draw *ir.Draw) *backDraw {
	base := e.vars.m
	discrete, real := base.SplitReal(base.IDs())
	b := &backDraw{e: e, m: base.Step(), places: newPlaces(base), vars: slices.Concat(discrete, real), nd: len(discrete),
		r: pgmrt.NewRand(draw.Seed + 1), at: make([]int, draw.Paths)}
	for _, f := range b.m.Factors {
		if slices.ContainsFunc(f.Scope, func(v model.VarID) bool { return int(v) >= len(base.Vars) }) {
			b.cpds = append(b.cpds, f)
		}
	}
	b.state, b.x = make([]int, len(b.m.Vars)), make([]float64, len(b.m.Vars))
	return b
}

// choose draws an index of weights, which sum to 1.
func (b *backDraw) choose(weight []float64) int {
	return chooseBy(b.r, len(weight), func(i int) float64 { return weight[i] })
}

// set sets the variables of a slice to those of a particle.
func (b *backDraw) set(x *frame, i int) {
	n := len(b.vars) - b.nd
	for k, v := range b.vars {
		if k < b.nd {
			b.state[v] = int(x.states[i*b.nd+k])
		} else {
			b.x[v] = x.values[i*n+k-b.nd]
		}
	}
}

// back draws the particle before particle i of a slice. If none explains it, because it is a
// function of what was before that was computed with other rounding, it is the one that i came
// from.
func (b *backDraw) back(before, here *frame, i int) int {
	b.set(here, i)
	n := len(b.vars) - b.nd
	b.logs = b.logs[:0]
	most := math.Inf(-1)
	for j, w := range before.weight {
		log := math.Log(w)
		if w > 0 {
			for k, at := range b.places.state {
				b.state[b.places.as[k]] = int(before.states[j*b.nd+at])
			}
			for k, at := range b.places.value {
				b.x[b.places.asReal[k]] = before.values[j*n+at]
			}
			for _, f := range b.cpds {
				log += b.m.LogFactor(f, b.state, b.x)
			}
		}
		b.logs = append(b.logs, log)
		most = max(most, log)
	}
	if math.IsInf(most, -1) || math.IsNaN(most) {
		return here.from[i]
	}
	total := 0.0
	for j, log := range b.logs {
		b.logs[j] = math.Exp(log - most)
		total += b.logs[j]
	}
	for j := range b.logs {
		b.logs[j] /= total
	}
	return b.choose(b.logs)
}

// answer returns the posteriors of a slice by the trajectories.
func (b *backDraw) answer(x *frame, f *Filter) *Marginals {
	n, share := len(b.vars)-b.nd, 1/float64(len(b.at))
	list, worst := make([]Distribution, len(b.e.vars.seen)), 0.0
	for i, v := range b.e.vars.seen {
		place := b.e.place(v)
		numbers := make([]float64, 2)
		if b.e.vars.m.IsReal(v) {
			for _, k := range b.at {
				numbers[0] += float64(share * x.values[k*n+place])
			}
			for _, k := range b.at {
				off := x.values[k*n+place] - numbers[0]
				numbers[1] += float64(share * float64(off*off))
			}
		} else {
			numbers = make([]float64, b.e.vars.m.Card(v))
			for _, k := range b.at {
				numbers[x.states[k*b.nd+place]]++
			}
			for s, count := range numbers {
				p := count / float64(len(b.at))
				numbers[s] = p
				worst = max(worst, math.Sqrt(float64(share*p*(1-p))))
			}
		}
		list[i] = b.e.distribution(v, numbers)
	}
	return &Marginals{List: list, LogProb: f.logP,
		Report: sampledReport(&Report{Iterations: len(b.at), Residual: worst, ESS: b.distinct(), LogError: f.cloud.LogError()})}
}

// distinct returns the effective number of particles that the trajectories go through.
func (b *backDraw) distinct() float64 {
	sorted := slices.Sorted(slices.Values(b.at))
	sum := 0.0
	for len(sorted) > 0 {
		k := 1
		for k < len(sorted) && sorted[k] == sorted[0] {
			k++
		}
		sum += float64(k * k)
		sorted = sorted[k:]
	}
	return float64(len(b.at)*len(b.at)) / sum
}
