package infer

import (
	"context"
	"math"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer/internal/scoring"
	"github.com/pgmc-go/pgmc/compiler/infer/internal/temporal"
	"github.com/pgmc-go/pgmc/compiler/internal/bound"
	"github.com/pgmc-go/pgmc/ir"
	irlanes "github.com/pgmc-go/pgmc/ir/lanes"
)

// RefuseLanes makes all programs refuse lanes until restore is called.
func RefuseLanes() (restore func()) {
	before := scoring.Limit
	scoring.Limit = irlanes.Limit{}
	return func() { scoring.Limit = before }
}

// Sweep goes over n slices whose states are numbers, with room for some of them. It returns the
// most that it kept.
func Sweep(n, room int, forward func(t int, before float64) (float64, error), back func(past []float64, from, end int)) (most int, err error) {
	s := &temporal.Sweep[sliceState]{Room: room,
		Forward: func(t int, before *sliceState) (out sliceState, err error) {
			x := 0.0
			if before != nil {
				x = before.logP
			}
			out.logP, err = forward(t, x)
			return out, err
		},
		Back: func(past []sliceState, from, end int) error {
			var list []float64
			for _, x := range past {
				list = append(list, x.logP)
			}
			back(list, from, end)
			return nil
		}}
	err = s.Run(n)
	return s.Most, err
}

// Keep leaves e memory for n beliefs of smooth, or of viterbi.
func Keep(ctx context.Context, e *Engine, kind ir.QueryKind, n int) error {
	name := ir.FilterFirst
	if kind == ir.Viterbi {
		name = ir.MaxFirst
	}
	_, size, err := e.room(ctx, kind, name)
	e.opt.MaxMem = 2 * size * int64(n)
	return err
}

// Settled returns the interval of a program that is compiled beside bounds which know nothing.
func Settled(ctx context.Context, e *Engine) (*Interval, error) {
	f, m, err := e.conditioned(nil)
	if err != nil {
		return nil, err
	}
	t := &bound.Total{Interval: bound.Interval{Lower: math.Inf(-1), Upper: math.Inf(1)}}
	for range m.Vars {
		t.Marginals, t.Bounds = append(t.Marginals, make([]float64, 2)), append(t.Bounds, make([]bound.Bound, 2))
	}
	compileSum(ctx, m, compiler.Options{Method: compiler.Named(compiler.Patient(m).Name)}, true).settle(t)
	return e.intervalOf(f, t, true), nil
}
