package infer

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/infer/internal/temporal"
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
		_, g, err := f.grow(ctx, found, nil)
		if err != nil {
			return err
		}
		g.Keep(nil)
		f.keep(g)
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
	at, after := 0, []float64(nil)
	if len(past) > 0 {
		at, _, after = past[len(past)-1].past.Best()
	}
	first := func([]pgmrt.HistoryEdge) int { return 0 }
	err = e.traceHistory(ctx, traceEntries, past, at, temporal.Fixed(m, after), first, func(t int, s *historySlice) []float64 {
		founds[t], values[t] = past[t].found, make([]float64, len(m.Vars))
		for _, state := range s.m.State() {
			states[t] = append(states[t], int(state))
		}
		out := append(outOf(s.p, s.m), nil)
		for i, v := range m.Reals() {
			values[t][v] = out[0][i]
		}
		return temporal.Fixed(m, out[1])
	})
	if err != nil {
		return nil, err
	}
	return e.path(founds, states, values), nil
}

// traceHistory runs entries back over all slices along one history, from number at of the last
// slice on, by the ways that choose picks. It calls each with the run about a slice, which returns
// the moments before it.
func (e *Engine) traceHistory(ctx context.Context, x sliceEntries, past []sliceState, at int, after []float64, choose func([]pgmrt.HistoryEdge) int, each func(int, *historySlice) []float64) error {
	for t := len(past) - 1; t >= 0; t-- {
		var before *pgmrt.HistoryFrame
		if t > 0 {
			before = past[t-1].past
		}
		ways := past[t].past.Edges(at)
		way := ways[choose(ways)]
		s, err := e.along(ctx, x, t, past[t].found, true, nil)
		if err == nil {
			err = s.Along(before, way, after)
		}
		if err != nil {
			return &SliceError{t, err}
		}
		at, after = int(way.From), each(t, s)
	}
	return nil
}

// drawHistory draws the slices along a history that is drawn by its probability, and the edges by
// which it came about by theirs.
func (e *Engine) drawHistory(ctx context.Context, past []sliceState, draw [][]model.Value, r *pgmrt.Rand) error {
	if len(past) == 0 {
		return nil
	}
	last := past[len(past)-1].past
	at := temporal.Choose(r, last.Size(), func(i int) float64 { _, w, _ := last.History(i); return w })
	_, _, after := last.History(at)
	choose := func(ways []pgmrt.HistoryEdge) int {
		return temporal.Choose(r, len(ways), func(i int) float64 { return ways[i].Weight })
	}
	return e.traceHistory(ctx, drawEntries, past, at, after, choose, func(t int, s *historySlice) []float64 {
		e.read(s.m, draw[t])
		return slices.Clone(s.Left)
	})
}
