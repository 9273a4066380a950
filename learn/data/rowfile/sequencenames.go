package rowfile

import (
	"fmt"
	"strconv"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
)

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
