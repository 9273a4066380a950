package infer

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
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

// draw draws the slices, the last one first. What persists in a slice is known once the slice after
// it has been drawn: discrete variables are then observed, and real ones enter by the stream.
func (e *Engine) draw(ctx context.Context, past []sliceState, draw [][]model.Value) error {
	m := e.vars.m
	real := len(m.Reals()) == len(m.Vars)
	var persists []int
	var after [][]float64
	for t := len(past) - 1; t >= 0; t-- {
		name, in := ir.DrawFirst, [][]float64(nil)
		if t > 0 {
			name, in = ir.DrawNext, past[t-1].belief
		}
		found := *past[t].found
		if real {
			if t == len(past)-1 {
				after = past[t].belief
			}
			in = slices.Concat(in, past[t].belief, after)
		} else {
			found.State = slices.Clone(found.State)
			for i, s := range persists {
				found.State[m.Transition.Before[i]] = s
			}
		}
		p, machine, err := e.slice(ctx, ir.Trajectory, name, &found, in)
		if err != nil {
			return &SliceError{t, err}
		}
		for i, v := range e.vars.seen {
			draw[t][i] = machine.Value(v)
		}
		if real {
			after = outOf(p, machine)
			continue
		}
		persists = persists[:0]
		for _, s := range machine.State()[len(m.Vars):] {
			persists = append(persists, int(s))
		}
	}
	return nil
}
