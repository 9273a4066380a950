package infer

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// This file has most probable paths, and draws of paths, of networks with real and discrete
// variables. A path follows one history of states, along which the system is linear Gaussian.

// keptHistories goes forwards over a sequence and returns the histories of each slice, with what
// they came from: those of the filter, or of most probable paths.
func (e *Engine) keptHistories(ctx context.Context, sequence []Given, best bool) ([]sliceState, error) {
	f := &Filter{e: e, recalls: true, best: best, paths: true}
	return f.follow(sequence, func(found *Findings) error {
		p, err := e.of(ctx, f.entries(), 1)
		if err != nil {
			return err
		}
		g := f.growth(p, found)
		if err := g.growAll(ctx); err != nil {
			return err
		}
		f.past, f.n = g.keep(nil), f.n+1
		return nil
	})
}

// historyPath returns the most probable path along a history.
func (e *Engine) historyPath(ctx context.Context, sequence []Given) (*Path, error) {
	past, err := e.keptHistories(ctx, sequence, true)
	if err != nil {
		return nil, err
	}
	founds, states, values := make([]*Findings, len(past)), make([][]int, len(past)), make([][]float64, len(past))
	m := e.vars.m
	var after []float64
	at := 0
	if len(past) > 0 {
		last := past[len(past)-1].past
		at = last.Best()
		after = fixedAt(m, last.Moments(at))
	}
	for t := len(past) - 1; t >= 0; t-- {
		here, before := past[t], (*histories)(nil)
		if t > 0 {
			before = past[t-1].past
		}
		from := here.past.Edges(at)[0]
		p, machine, err := e.along(ctx, traceEntries, here.found, before, from, after)
		if err != nil {
			return nil, &SliceError{t, err}
		}
		founds[t], values[t] = here.found, make([]float64, len(m.Vars))
		for _, s := range machine.State() {
			states[t] = append(states[t], int(s))
		}
		out := outOf(p, machine)
		for i, v := range m.Reals() {
			values[t][v] = out[0][i]
		}
		if at = int(from.From); len(after) > 0 && t > 0 {
			after = fixedAt(m, out[1])
		}
	}
	return e.path(founds, states, values), nil
}

// fixedAt returns moments of the real variables that persist which are certain of their means.
func fixedAt(m *model.Model, moments []float64) []float64 {
	_, real := m.SplitReal(m.Transition.Before)
	out := slices.Clone(moments)
	clear(out[min(len(real), len(out)):])
	return out
}

// drawHistory draws the slices along a history that is drawn by its probability, and the edges by
// which it came about by theirs.
func (e *Engine) drawHistory(ctx context.Context, past []sliceState, draw [][]model.Value, r *pgmrt.Rand) error {
	if len(past) == 0 {
		return nil
	}
	last := past[len(past)-1].past
	at := chooseBy(r, last.Size(), last.Weight)
	after := last.Moments(at)
	for t := len(past) - 1; t >= 0; t-- {
		here, before := past[t], (*histories)(nil)
		if t > 0 {
			before = past[t-1].past
		}
		edges := here.past.Edges(at)
		from := edges[chooseBy(r, len(edges), func(i int) float64 { return edges[i].Weight })]
		p, machine, err := e.along(ctx, drawEntries, here.found, before, from, after)
		if err != nil {
			return &SliceError{t, err}
		}
		e.read(machine, draw[t])
		if at = int(from.From); len(after) > 0 && t > 0 {
			after = outOf(p, machine)[0]
		}
	}
	return nil
}

// chooseBy draws one of n numbers by its weight.
func chooseBy(r *pgmrt.Rand, n int, weight func(int) float64) int {
	total := 0.0
	for i := range n {
		total += weight(i)
	}
	u, last := r.Float64()*total, 0
	for i := range n {
		if w := weight(i); w > 0 {
			last = i // if rounding leaves u above 0
			if u -= w; u < 0 {
				break
			}
		}
	}
	return last
}
