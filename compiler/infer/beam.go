package infer

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/infer/internal/temporal"
	"github.com/pgmc-go/pgmc/ir/diag"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// BeamPath is a path that a beam search found.
type BeamPath struct {
	Path
	// Bound is at least ln of the probability of every path together with the evidence. It is
	// Path.LogProb if the path is proven to be a most probable one.
	Bound float64
}

// Proven reports whether no path is more probable.
func (p *BeamPath) Proven() bool { return p.Bound <= p.LogProb }

// MaxBeam is the largest width of a beam.
const MaxBeam = 1 << 17

// Beam returns a probable completion of the evidence on a sequence of discrete variables. It keeps,
// after each slice, the most probable histories: at most width, and one for each joint state of the
// variables that persist. No table is as large as their number of joint states, so that Beam serves
// models that are too wide for [Engine.Viterbi]. The probability of a history that is left out
// bounds those of all paths that begin with it. If none is left out, the path is that of Viterbi,
// up to ties. The time grows with width, the number of slices and the states of a slice.
//
// Source: Lowerre 1976, "The HARPY speech recognition system".
func (e *Engine) Beam(ctx context.Context, sequence []Given, width int) (*BeamPath, error) {
	m := e.vars.m
	switch {
	case m.Transition == nil:
		return nil, fmt.Errorf("the model has no transition from slice to slice; want one for a sequence")
	case len(m.Reals()) > 0:
		return nil, diag.Errorf("a beam keeps states, and %q is a real variable; want discrete variables alone, or no %v", m.Vars[m.Reals()[0]].Name, diag.Option{Name: "beam"})
	case width < 1 || width > MaxBeam:
		return nil, fmt.Errorf("the beam has %d states; want 1 to %d", width, MaxBeam)
	}
	b := temporal.NewBeam(m, width)
	founds := make([]*Findings, len(sequence))
	for t, given := range sequence {
		err := ctx.Err()
		if err == nil {
			founds[t], err = e.own(given)
		}
		if err == nil {
			err = b.Advance(sliceOf(founds[t]))
		}
		switch {
		case errors.Is(err, temporal.ErrNarrow):
			err = diag.Errorf("none of the histories that the beam kept allows the evidence on the slice: %s; want a wider one, such as %v", founds[t].Text(m), diag.Option{Name: "beam", Value: strconv.Itoa(min(10*width, MaxBeam))})
		case err == pgmrt.ErrImpossible:
			err = &ImpossibleError{Evidence: founds[t].Text(m)}
		}
		if err != nil {
			return nil, &SliceError{t, err}
		}
	}
	out := &BeamPath{Path: *e.path(founds, b.Path(), nil)}
	out.Bound = max(out.LogProb, b.Cut())
	return out, nil
}
