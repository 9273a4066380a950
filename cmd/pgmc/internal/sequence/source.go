package sequence

import (
	"io"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
)

// source reads rows as findings.
type source struct {
	e     *infer.Engine
	in    *data.Reader
	bound *data.Binding
	names *data.SequenceNames
}

// row is the evidence on one slice.
type row struct {
	of    string // the name of its sequence
	found *infer.Findings
	pos   diag.Pos
}

// at adds the position of the row to an error.
func (r *row) at(err error) error { return diag.At(r.pos, err) }

// atSlice adds the position of the row to an error about a slice of its sequence.
func atSlice(err error, list []*row) error {
	if slice, ok := err.(*infer.SliceError); ok {
		return list[slice.Slice].at(slice.Err)
	}
	return err
}

func newSource(e *infer.Engine, in *data.Reader, column string, unseen data.Unseen) (*source, error) {
	bound, err := in.Bind(data.VarsOf(e.Model()), unseen)
	if err != nil {
		return nil, err
	}
	names, err := in.SequenceNames(column)
	return &source{e: e, in: in, bound: bound, names: names}, err
}

// each calls do with each row, until an error. The findings are the row's own.
func (s *source) each(do func(r *row) error) error {
	states := make([]int, len(s.bound.Column))
	vars := s.e.Vars()
	for {
		rec, err := s.in.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = s.bound.States(rec, states)
		}
		if err != nil {
			return err
		}
		r := &row{found: infer.NewFindings(len(s.e.Model().Vars)), pos: rec.Pos}
		if r.of, err = s.names.Of(rec); err != nil {
			return err
		}
		for i, v := range vars {
			if states[i] != data.Missing {
				r.found.Observe(v, valueOf(states[i], s.bound.Values[i]))
			}
		}
		if err := do(r); err != nil {
			return err
		}
	}
}
