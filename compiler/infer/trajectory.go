package infer

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Trajectories returns an endless sequence of independent draws of all slices of a sequence given
// the evidence on them: a filter goes forward once, and each draw goes back over its slices (Carter
// and Kohn 1994). A draw has, by slice, a state or a value for each variable of [Engine.Vars], and
// is valid until the next one. The sequence ends with the first error. The seed of the options
// determines the draws. Memory grows with the number of slices.
func (e *Engine) Trajectories(ctx context.Context, sequence []Given) iter.Seq2[[][]model.Value, error] {
	return func(yield func([][]model.Value, error) bool) {
		past, histories, err := e.filteredForDraws(ctx, sequence)
		r := pgmrt.NewRand(e.opt.Seed)
		draw := make([][]model.Value, len(past))
		for t := range draw {
			draw[t] = make([]model.Value, len(e.vars.seen))
		}
		for {
			if err == nil {
				err = ctx.Err()
			}
			switch {
			case err != nil:
			case histories:
				err = e.drawHistory(ctx, past, draw, r)
			default:
				err = e.draw(ctx, past, draw)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(draw, nil) {
				return
			}
		}
	}
}

// filteredForDraws goes forwards over a sequence, and reports whether its beliefs are histories.
func (e *Engine) filteredForDraws(ctx context.Context, sequence []Given) (past []sliceState, histories bool, err error) {
	p, err := e.stream(ctx, ir.Trajectory, ir.DrawFirst)
	if err != nil {
		return nil, false, err
	}
	if p.entry.Stream.Histories != nil {
		past, err = e.keptHistories(ctx, sequence, false)
		return past, true, err
	}
	if past, err = e.forward(ctx, sequence); err == nil {
		err = e.determined(ctx, past)
	}
	return past, false, err
}

// determined returns an error if the evidence leaves a variable with an infinite variance.
func (e *Engine) determined(ctx context.Context, past []sliceState) (err error) {
	if e.vars.m.Traits()&model.Diffuses == 0 || len(past) == 0 {
		return nil
	}
	_, back := e.back(ctx, past, 0, len(past), past[len(past)-1].belief, func(t int, list []Distribution, _ [][]float64) {
		for i := range list {
			if math.IsInf(list[i].Variance, 1) {
				err = &SliceError{t, fmt.Errorf("variable %q has an infinite variance, from which nothing can be drawn; want evidence that determines it, or a prior of finite variance", list[i].Var)}
			}
		}
	})
	if err == nil {
		err = back
	}
	return err
}

// draw draws the slices, the last one first. The variables that persist in a slice are known once
// the slice after it has been drawn: discrete ones are then observed, and real ones enter by the
// stream.
func (e *Engine) draw(ctx context.Context, past []sliceState, draw [][]model.Value) error {
	m := e.vars.m
	if len(m.Reals()) < len(m.Vars) {
		return e.traceBack(ctx, drawEntries, past, 0, len(past), nil, func(t int, machine *eval.Machine) { e.read(machine, draw[t]) })
	}
	var after [][]float64
	for t := len(past) - 1; t >= 0; t-- {
		var in [][]float64
		if t > 0 {
			in = past[t-1].belief
		}
		if t == len(past)-1 {
			after = past[t].belief
		}
		p, machine, err := e.slice(ctx, drawEntries, t, past[t].found, slices.Concat(in, past[t].belief, after))
		if err != nil {
			return &SliceError{t, err}
		}
		e.read(machine, draw[t])
		after = outOf(p, machine)
	}
	return nil
}

// read sets row to the states or values of a run that draws.
func (e *Engine) read(m *eval.Machine, row []model.Value) {
	for i, v := range e.vars.seen {
		row[i] = m.Value(v)
	}
}
