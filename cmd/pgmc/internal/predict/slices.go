package predict

import (
	"context"
	"errors"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// slicePosteriors finds the posteriors of rows that are slices of sequences.
type slicePosteriors struct {
	e      *infer.Engine
	names  *rowfile.SequenceNames
	smooth bool // given all rows of the sequence
	byName map[string]*followed
	all    []*followed // in the order of their first rows
	rows   []*slice    // with smooth, all of them
}

// followed is one sequence.
type followed struct {
	filter     *infer.Filter
	impossible error // since a row contradicted those before it
	slices     []*slice
}

// slice is a row with posteriors that depend on later ones.
type slice struct {
	rec        data.Record
	states     []int
	values     []float64
	known      *infer.Findings
	posteriors []infer.Distribution
	err        error
}

func newSlices(e *infer.Engine, in *rowfile.Reader, f *Options) (*slicePosteriors, error) {
	names, err := in.SequenceNames(f.Slices.Column)
	return &slicePosteriors{e: e, names: names, smooth: f.Smooth, byName: map[string]*followed{}}, err
}

// of returns the sequence of a row.
func (s *slicePosteriors) of(ctx context.Context, rec *data.Record) (*followed, error) {
	name, err := s.names.Of(rec)
	if err != nil {
		return nil, err
	}
	if x := s.byName[name]; x != nil {
		return x, nil
	}
	filter, err := s.e.Filter(ctx)
	if err != nil {
		return nil, err
	}
	x := &followed{filter: filter}
	s.byName[name], s.all = x, append(s.all, x)
	return x, nil
}

// slice predicts the targets of a row given the rows of its sequence up to it, and writes it. With
// smooth it keeps the row until all have been read.
func (p *predictor) slice(ctx context.Context, w *cli.RowWriter, rec *data.Record, states []int) error {
	of, err := p.slices.of(ctx, rec)
	if err != nil {
		return err
	}
	known := p.by.Evidence(states, p.binding.Values)
	if p.slices.smooth {
		own := *rec
		own.Cells = slices.Clone(rec.Cells)
		x := &slice{rec: own, states: slices.Clone(states), values: slices.Clone(p.binding.Values), known: known}
		of.slices, p.slices.rows = append(of.slices, x), append(p.slices.rows, x)
		return nil
	}
	if of.impossible != nil {
		return p.write(w, rec, nil, of.impossible)
	}
	m, err := of.filter.Step(ctx, known)
	if errors.Is(err, infer.ErrImpossible) {
		of.impossible = err
	}
	if err != nil {
		return p.write(w, rec, nil, err)
	}
	list := p.by.Select(m)
	p.by.Compare(list, states, p.binding.Values, 1)
	return p.write(w, rec, list, nil)
}

// smoothed writes the rows that slice kept, in the order of the file.
func (p *predictor) smoothed(ctx context.Context, w *cli.RowWriter) error {
	for _, of := range p.slices.all {
		if err := p.smooth(ctx, of); err != nil {
			return err
		}
	}
	for _, x := range p.slices.rows {
		if x.err == nil {
			p.by.Compare(x.posteriors, x.states, x.values, 1)
		}
		if err := p.write(w, &x.rec, x.posteriors, x.err); err != nil {
			return err
		}
	}
	return nil
}

// smooth sets the posteriors of the rows of a sequence, or its error if it is impossible.
func (p *predictor) smooth(ctx context.Context, of *followed) error {
	given := make([]infer.Given, len(of.slices))
	for t, x := range of.slices {
		given[t] = x.known
	}
	list, err := p.slices.e.Smooth(ctx, given)
	var at *infer.SliceError
	switch {
	case errors.As(err, &at) && errors.Is(err, infer.ErrImpossible):
		for _, x := range of.slices {
			x.err = at.Err
		}
		if p.first.Msg == "" {
			p.first = diag.Diagnostic{Pos: of.slices[at.Slice].rec.Pos, Msg: cli.Text(at.Err)}
		}
	case errors.As(err, &at):
		return diag.Diagnostic{Pos: of.slices[at.Slice].rec.Pos, Msg: at.Err.Error()}
	case err != nil:
		return err
	}
	for t := range list {
		of.slices[t].posteriors = p.by.Select(&list[t])
	}
	return nil
}
