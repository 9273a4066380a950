package infer

import (
	"context"
	"math"

	"github.com/pgmc-go/pgmc/compiler"
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

// sweep goes forwards over the slices of a sequence, and then back over them in the reverse order.
// It keeps the states of as many slices as it has room for. If there are more, it keeps checkpoints
// at equal distances and goes forwards again between two of them, the last ones first; between
// checkpoints that are too far apart it does the same. So n slices take the memory of about 2√n and
// twice the time forwards, or less memory and one more time for each level.
//
// Source: Zweig and Padmanabhan 2000, "Exact alpha-beta computation in logarithmic space with
// application to MAP word graph construction", which has a level for each factor of the number of
// slices.
type sweep struct {
	room    int // the most states that are kept, but two for each level
	forward func(t int, before *sliceState) (sliceState, error)
	// back goes over the slices from end-1 down to from. The states are those of the slices before
	// end, from the slice before from on, or from slice 0.
	back func(past []sliceState, from, end int) error

	kept, most int // states in memory, now and at most
}

// run goes forwards and back over slices 0 to end-1.
func (s *sweep) run(end int) error { return s.over(nil, 0, end, s.room) }

// over goes forwards and back over the slices from to end-1. The state of the slice before them is
// nil for slice 0.
func (s *sweep) over(before *sliceState, from, end, room int) error {
	if end-from > max(room, 2) {
		return s.checkpoints(before, from, end, room)
	}
	var past []sliceState
	if before != nil {
		past = append(past, *before)
	}
	for t := from; t < end; t++ {
		x, err := s.forward(t, before)
		if err != nil {
			return err
		}
		past, before = append(past, x), &x
	}
	s.keep(end - from)
	defer s.keep(from - end)
	return s.back(past, from, end)
}

// keep counts states that are kept from now on, or no longer if n is negative.
func (s *sweep) keep(n int) {
	s.kept += n
	s.most = max(s.most, s.kept)
}

// checkpoints is over with the states of some slices kept.
func (s *sweep) checkpoints(before *sliceState, from, end, room int) error {
	parts := max(room/2, 2)
	each := (end - from + parts - 1) / parts
	states := []*sliceState{before}       // before each part
	last := from + (end-from-1)/each*each // the first slice of the last part
	for t := from; t < last; t++ {
		x, err := s.forward(t, before)
		if err != nil {
			return err
		}
		if before = &x; (t+1-from)%each == 0 {
			states = append(states, before)
			s.keep(1)
		}
	}
	for i := len(states) - 1; i >= 0; i-- {
		first := from + i*each
		if err := s.over(states[i], first, min(first+each, end), room-parts); err != nil {
			return err
		}
		states[i] = nil
		if i > 0 {
			s.keep(-1)
		}
	}
	return nil
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
	s := &sweep{room: room,
		forward: func(int, *sliceState) (sliceState, error) { out.Forward++; return sliceState{}, nil },
		back:    func([]sliceState, int, int) error { return nil }}
	err = s.run(n)
	out.Kept = s.most
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
