package rowfile

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// pairs makes two records of each row of a file with two slices a row: slice 0, and the next one.
// See [ReadOptions.TwoSlices].
type pairs struct {
	column [2][]int     // by slice and column of the reader: the column of the file, or -1
	row    *data.Record // of which the next record is the second slice; nil if that is of another row
	rec    data.Record
}

// pair makes the columns of the two slices the columns of one.
func (r *Reader) pair() error {
	if r.opt.TwoSlices == nil {
		return nil
	}
	ends, p := r.opt.TwoSlices, &pairs{}
	var left []data.Column
	index := map[string]int{}
	found := [2]bool{}
	for i, c := range r.Columns {
		s, name := model.SliceOf(c.Name, ends[0], ends[1])
		if s < 0 {
			return diag.At(c.Pos, diag.Errorf("column %q ends neither in %q nor in %q; want each column in one of two slices, or leave it out by %v",
				c.Name, ends[0], ends[1], diag.Option{Name: "drop", Value: diag.QuoteName(c.Name)}))
		}
		k, ok := index[name]
		if !ok {
			k = len(left)
			index[name], left = k, append(left, data.Column{Name: name, States: c.States, Pos: c.Pos})
			p.column[0], p.column[1] = append(p.column[0], -1), append(p.column[1], -1)
		}
		switch {
		case p.column[s][k] >= 0:
			return diag.Diagnostic{Pos: c.Pos, Msg: fmt.Sprintf("columns %q and %q are both %q of one slice; want one", r.Columns[p.column[s][k]].Name, c.Name, name)}
		case !slices.Equal(c.States, left[k].States):
			return diag.Diagnostic{Pos: c.Pos, Msg: fmt.Sprintf("column %q declares other states than its twin; want the same ones in the same order", c.Name)}
		}
		p.column[s][k], found[s] = i, true
	}
	for s, ok := range found {
		if !ok {
			return diag.Diagnostic{Pos: r.Columns[0].Pos, Msg: fmt.Sprintf("no column ends in %q; want some in each of two slices", ends[s])}
		}
	}
	r.Columns, r.pairs = left, p
	p.rec.Cells = make([]data.Cell, len(left))
	return nil
}

// slice returns the record of slice s of a row. What the slice has no column of is missing.
func (p *pairs) slice(s int, row *data.Record) *data.Record {
	p.rec.Weight, p.rec.Pos = row.Weight, row.Pos
	for k, c := range p.column[s] {
		p.rec.Cells[k] = data.Cell{Unknown: true, Line: row.Pos.Line, Col: row.Pos.Col}
		if c >= 0 {
			p.rec.Cells[k] = row.Cells[c]
		}
	}
	if p.row = nil; s == 0 {
		p.row = row
	}
	return &p.rec
}

// SequenceNames tells which rows of a reader are slices of one sequence.
type SequenceNames struct {
	r      *Reader
	column int // with the names, or -1
}

// SequenceNames returns the names that the column of the given name holds. If it is empty, all
// rows are one sequence without a name; if the rows of the file hold two slices, each is a sequence
// that its number names, from 1.
func (r *Reader) SequenceNames(column string) (*SequenceNames, error) {
	s := &SequenceNames{r: r, column: -1}
	var err error
	switch {
	case column != "" && r.pairs != nil:
		return nil, diag.Errorf("%s: each row holds two slices, which are a sequence; leave out %v", r.name, diag.Option{Name: "sequence-column"})
	case column != "":
		s.column, err = r.Find(column)
	}
	return s, err
}

// Named reports whether sequences have names.
func (s *SequenceNames) Named() bool { return s.column >= 0 || s.r.pairs != nil }

// In reports whether names are in a column with a number.
func (s *SequenceNames) In(column int) bool { return column == s.column }

// Of returns the name of the sequence of a row, which was read last. A row with a weight is an
// error.
func (s *SequenceNames) Of(rec *data.Record) (string, error) {
	switch {
	case rec.Weight != 1:
		return "", RowError{Diagnostic: diag.Diagnostic{Pos: rec.Pos, Msg: fmt.Sprintf("the row has the weight %v; want none of the slices of a sequence", rec.Weight)}}
	case s.r.pairs != nil:
		return strconv.Itoa(s.r.row), nil
	case s.column >= 0:
		return rec.Cells[s.column].Text, nil
	}
	return "", nil
}
