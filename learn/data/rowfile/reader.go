package rowfile

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/format"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/states"
)

// Reader reads the rows of a file.
type Reader struct {
	Columns []data.Column
	Format  Format
	Comma   rune // the separator in a CSV file; a tab for any number of blanks

	name  string
	opt   ReadOptions
	marks *states.Marks
	rows  format.Rows
	parts []Part // that have the rows; nil if they are one file
	// project is nil if reading a row takes all columns of it.
	project *projection
	row     int         // the number of the next row
	raw     data.Record // of all columns
	kept    []int       // the columns that are read; nil: all
	rec     data.Record // of those, if kept is not nil
	pairs   *pairs      // nil unless a row holds two slices
	watch   *watch      // nil unless Watch was called
	meter   *meter      // nil if nothing counts what is read
	count   numbering
	err     error // the error that ended the reading
	file    io.Closer
}

// Open opens the file at path, read with the defaults of [ReadOptions]. Close the reader after use.
func Open(path string, format Format) (*Reader, error) { return ReadOptions{Format: format}.Open(path) }

// NewReader returns a reader of in at the first row, read with the defaults of [ReadOptions].
// Messages call the file name.
func NewReader(name string, in io.Reader, format Format) (*Reader, error) {
	return ReadOptions{Format: format}.NewReader(name, in)
}

// Close closes the file that Open opened.
func (r *Reader) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// Next returns the next row, which is valid until the next call, and io.EOF after the last one.
// After a RowError, the next call continues with the next row. Any other error is final.
func (r *Reader) Next() (*data.Record, error) {
	if r.err != nil {
		return nil, r.err
	}
	if r.pairs != nil && r.pairs.row != nil {
		return r.pairs.slice(1, r.pairs.row), nil
	}
	for {
		r.raw.Weight = 1
		err := r.rows.Next(&r.raw)
		d, bad := err.(diag.Diagnostic)
		if err != nil && !bad {
			r.err = err
			return nil, err
		}
		r.row++
		if r.opt.Rows != nil && !r.opt.Rows(r.row-1) {
			continue
		}
		if bad {
			return nil, RowError{Diagnostic: d}
		}
		if r.pairs != nil {
			return r.pairs.slice(0, r.chosen()), nil
		}
		rec := r.chosen()
		if r.couldNumber() {
			r.count.follow(rec)
		}
		if r.watch != nil {
			err = r.watch.do(rec)
		}
		return rec, err
	}
}

// Skip reports whether err is an error in one row that the options allow to leave out, and tells
// [ReadOptions].Bad so.
func (r *Reader) Skip(err error) bool {
	var bad RowError
	if r.opt.Bad == nil || !errors.As(err, &bad) {
		return false
	}
	r.opt.Bad(bad)
	return true
}

// chosen returns the cells of the row that was read, of the columns that are wanted.
func (r *Reader) chosen() *data.Record {
	if r.kept == nil {
		return &r.raw
	}
	r.rec.Weight, r.rec.Pos = r.raw.Weight, r.raw.Pos
	for i, c := range r.kept {
		r.rec.Cells[i] = r.raw.Cells[c]
	}
	return &r.rec
}

// CellPos returns the position of a cell of a row.
func (r *Reader) CellPos(rec *data.Record, column int) diag.Pos {
	return diag.Pos{File: rec.Pos.File, Line: rec.Cells[column].Line, Col: rec.Cells[column].Col}
}

// Check is [data.Set.Check] of a set that r has read. An [data.EmptyColumn] has its place in the
// file.
func (r *Reader) Check(s *data.Set) error {
	err := s.Check()
	var empty data.EmptyColumn
	if !errors.As(err, &empty) {
		return err
	}
	c := slices.IndexFunc(r.Columns, func(c data.Column) bool { return c.Name == empty.Name })
	if empty.Number = c + 1; r.kept != nil && r.pairs == nil {
		empty.Number = r.kept[c] + 1
	}
	return diag.At(r.Columns[c].Pos, diag.Errorf("%v", empty))
}

// Name returns the name of the file in messages.
func (r *Reader) Name() string { return r.name }

// IsMissing reports whether a cell is missing, unless a variable has a state of that name.
func (r *Reader) IsMissing(c *data.Cell) bool {
	return c.Unknown || r.marks.Has(strings.TrimSpace(c.Text))
}

// Missing returns the texts that options gave as marks of a missing value; nil: DefaultMissing.
func (r *Reader) Missing() []string { return r.opt.Missing }

// names returns the names of the columns.
func (r *Reader) names() (list []string) {
	for _, c := range r.Columns {
		list = append(list, c.Name)
	}
	return list
}

// Has reports whether there is a column of a name.
func (r *Reader) Has(name string) bool {
	return slices.ContainsFunc(r.Columns, func(c data.Column) bool { return c.Name == name })
}

// Named reports whether the file names its columns.
func (r *Reader) Named() bool {
	return r.Format == Parquet || r.Format == ARFF || r.Format == JSONLines || r.Format == CSV && (!r.opt.NoHeader || r.opt.Names != nil)
}

// numbered reports whether the file has numbers of states and no names.
func (r *Reader) numbered() bool { return r.Format == Libra }

// Find returns the index of the column of the given name.
func (r *Reader) Find(name string) (int, error) {
	names := r.names()
	if i := slices.Index(names, name); i >= 0 {
		return i, nil
	}
	return 0, diag.Diagnostic{Pos: r.Columns[0].Pos, Msg: fmt.Sprintf("no column is called %q%s", name, diag.DidYouMean(name, names))}
}

// couldNumber reports whether the second of at least three columns has the name of the second of
// [NumberingColumns]. The first may have another one, which a model remembers.
func (r *Reader) couldNumber() bool {
	names := NumberingColumns()
	return r.pairs == nil && len(r.Columns) > len(names) && r.Columns[1].Name == names[1]
}

// Numbers reports whether, in the rows read so far, the first two columns number the slices of
// sequences: the second has the name of the second of [NumberingColumns], and counts from 0 in the
// rows of each sequence, which are together.
func (r *Reader) Numbers() bool {
	return r.couldNumber() && !r.count.broken && r.count.slice > 0
}

// Share returns the share of its files that r has read, and false if that is unknown, as of
// standard input. It may be called while another goroutine reads.
func (r *Reader) Share() (share float64, known bool) {
	if r.meter == nil || r.meter.total.Load() <= 0 {
		return 0, false
	}
	return min(1, float64(r.meter.done.Load())/float64(r.meter.total.Load())), true
}

// RowError is an error in one row, after which reading can continue.
type RowError struct {
	diag.Diagnostic
	// Column is the name of the column with the wrong value, which Text is. Both are empty if the
	// row as a whole is wrong.
	Column, Text string
}

// Unwrap returns the diagnostic.
func (e RowError) Unwrap() error { return e.Diagnostic }
