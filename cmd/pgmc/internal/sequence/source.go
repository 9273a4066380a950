package sequence

import (
	"io"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/slicing"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// source reads rows as findings.
type source struct {
	e     *infer.Engine
	in    *rowfile.Reader
	bound *rowfile.Binding
	names *rowfile.SequenceNames
	time  int                 // the column of times, or -1
	times map[string][]string // by sequence: the times of its slices
}

// row is the evidence on one slice.
type row struct {
	of    string // the name of its sequence
	time  string // empty if there is no column of times
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

// newSource returns a source of rows that f opened.
func newSource(e *infer.Engine, in *rowfile.Reader, f *slicing.Flags, unseen rowfile.Unseen) (*source, error) {
	bound, err := in.Bind(data.VarsOf(e.Model()), unseen)
	if err != nil {
		return nil, err
	}
	s := &source{e: e, in: in, bound: bound, time: -1, times: map[string][]string{}}
	if f.Time != "" {
		if s.time, err = in.Find(f.Time); err != nil {
			return nil, err
		}
	}
	s.names, err = in.SequenceNames(f.Column)
	return s, err
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
		if s.time >= 0 {
			r.time = rec.Cells[s.time].Text
			s.times[r.of] = append(s.times[r.of], r.time)
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
