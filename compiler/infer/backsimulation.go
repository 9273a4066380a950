package infer

import (
	"context"
	"math"

	"github.com/pgmc-go/pgmc/compiler/infer/internal/temporal"
	"github.com/pgmc-go/pgmc/ir"
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
	b := temporal.NewBackDraw(f.e.vars.m, draw)
	last := len(past) - 1
	b.Begin(past[last].cloud)
	for t := f.n - 1; ; t-- {
		each(t, f.trajectories(b.BackDraws))
		if t == from {
			return nil
		}
		before := past[last-(f.n-t)].cloud
		enter := func(states []int32, values []float64) error {
			b.Enter(states, values)
			return ctx.Err()
		}
		if err := b.Over(before, enter, b.Density); err != nil {
			return err
		}
	}
}

// trajectories returns the posteriors of a slice by trajectories.
func (f *Filter) trajectories(b *pgmrt.BackDraws) *Marginals {
	share := 1 / float64(b.Paths())
	list, worst := f.e.sampled(b), 0.0
	for i := range list {
		for _, p := range list[i].P {
			worst = max(worst, math.Sqrt(float64(share*p*(1-p))))
		}
	}
	return &Marginals{List: list, LogProb: f.logP,
		Report: sampledReport(&Report{Iterations: b.Paths(), Residual: worst, ESS: b.ESS(), LogError: f.cloud.LogError()})}
}
