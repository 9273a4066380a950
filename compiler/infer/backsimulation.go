package infer

import (
	"context"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// This file smooths beliefs of particles by backward simulation, whose draws are those of
// pgmrt.BackDraws. The cost is trajectories times particles times slices.

// frameOf returns a copy of the particles.
func frameOf(c *pgmrt.Cloud) *pgmrt.ParticleFrame {
	x := &pgmrt.ParticleFrame{}
	x.Copy(c)
	return x
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
	b.Begin(past[last].cloud)
	for t := f.n - 1; ; t-- {
		each(t, b.answer(f))
		if t == from {
			return nil
		}
		before := past[last-(f.n-t)].cloud
		enter := func(states []int32, values []float64) error {
			b.enter(states, values)
			return ctx.Err()
		}
		if err := b.Over(before, enter, b.density); err != nil {
			return err
		}
	}
}

// backDraw draws trajectories, slice by slice.
type backDraw struct {
	*pgmrt.BackDraws
	e      *Engine
	m      *model.Model // of a slice and the variables before it
	cpds   []*model.Factor
	places *places
	vars   []model.VarID // all variables of a slice: discrete ones, then real ones
	nd     int           // of which discrete

	state []int
	x     []float64
}

func newBackDraw(e *Engine, draw *ir.Draw) *backDraw {
	base := e.vars.m
	discrete, real := base.SplitReal(base.IDs())
	b := &backDraw{BackDraws: pgmrt.NewBackDraws(draw.Paths, draw.Seed+1), e: e, m: base.Step(), places: newPlaces(base), vars: slices.Concat(discrete, real), nd: len(discrete)}
	for _, f := range b.m.Factors {
		if slices.ContainsFunc(f.Scope, func(v model.VarID) bool { return int(v) >= len(base.Vars) }) {
			b.cpds = append(b.cpds, f)
		}
	}
	b.state, b.x = make([]int, len(b.m.Vars)), make([]float64, len(b.m.Vars))
	return b
}

// enter enters a trajectory in a slice.
func (b *backDraw) enter(states []int32, values []float64) {
	for k, v := range b.vars {
		if k < b.nd {
			b.state[v] = int(states[k])
		} else {
			b.x[v] = values[k-b.nd]
		}
	}
}

// density returns the logarithm of the density of the trajectory in the slice given a particle of
// the slice before.
func (b *backDraw) density(states []int32, values []float64) (log float64) {
	for k, at := range b.places.state {
		b.state[b.places.as[k]] = int(states[at])
	}
	for k, at := range b.places.value {
		b.x[b.places.asReal[k]] = values[at]
	}
	for _, f := range b.cpds {
		log += b.m.LogFactor(f, b.state, b.x)
	}
	return log
}

// answer returns the posteriors of a slice by the trajectories.
func (b *backDraw) answer(f *Filter) *Marginals {
	share := 1 / float64(b.Paths())
	list, worst := b.e.sampled(b), 0.0
	for i := range list {
		for _, p := range list[i].P {
			worst = max(worst, math.Sqrt(float64(share*p*(1-p))))
		}
	}
	return &Marginals{List: list, LogProb: f.logP,
		Report: sampledReport(&Report{Iterations: b.Paths(), Residual: worst, ESS: b.ESS(), LogError: f.cloud.LogError()})}
}
