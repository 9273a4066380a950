package infer

import (
	"context"
	"math"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer/internal/temporal"
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// sliceState is what a pass forwards leaves of a slice.
type sliceState struct {
	found  *Findings
	belief [][]float64
	past   *pgmrt.HistoryFrame  // instead of belief, if that is a mixture over histories
	cloud  *pgmrt.ParticleFrame // instead of belief, if that is particles
	logP   float64              // of the evidence so far
}

// SweepSize is what answers about a whole sequence take.
type SweepSize struct {
	Bytes   int64 // of the beliefs of all slices
	Kept    int   // the most beliefs that are in memory at once
	Forward int64 // steps forwards, of all passes: as many as slices if all beliefs are kept
}

// SweepSize returns what n slices of a sequence take in [Engine.Smooth], or in [Engine.Viterbi] if
// kind is ir.Viterbi.
func (e *Engine) SweepSize(ctx context.Context, kind ir.QueryKind, n int) (SweepSize, error) {
	name := ir.FilterFirst
	if kind == ir.Viterbi && len(e.vars.m.Reals()) < len(e.vars.m.Vars) {
		name = ir.MaxFirst
	} else {
		kind = ir.Smooth
	}
	room, size, err := e.room(ctx, kind, name)
	if err != nil {
		return SweepSize{}, err
	}
	out := SweepSize{Bytes: int64(n) * size}
	s := &temporal.Sweep[sliceState]{Room: room,
		Forward: func(int, *sliceState) (sliceState, error) { out.Forward++; return sliceState{}, nil },
		Back:    func([]sliceState, int, int) error { return nil }}
	err = s.Run(n)
	out.Kept = s.Most
	return out, err
}

// room returns the number of beliefs that fit in half of the memory that the options allow, and the
// bytes of one: those that leave the entry of the given name by its stream.
func (e *Engine) room(ctx context.Context, kind ir.QueryKind, name string) (n int, size int64, err error) {
	p, err := e.stream(ctx, kind, name)
	if err != nil {
		return 0, 0, err
	}
	if p.entry.Stream.Histories != nil { // which Smooth keeps, or fails
		return math.MaxInt, 0, nil
	}
	size = 64 // of the state of a slice without numbers
	for _, id := range p.entry.Stream.Out {
		size += 8 * int64(p.Spans[id].Len)
	}
	return int(e.maxMem() / 2 / size), size, nil
}

// maxMem returns the most bytes of memory.
func (p *programs) maxMem() int64 {
	if p.opt.MaxMem > 0 {
		return p.opt.MaxMem
	}
	return compiler.DefaultMaxMem
}
