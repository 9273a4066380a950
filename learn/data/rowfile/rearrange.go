package rowfile

import (
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
)

// watch is a function that gets each row.
type watch struct {
	columns []int // that it looks at
	do      func(*data.Record) error
}

// Watch makes Next call do with each row before it returns it, with the error of do if there is
// one. The rows have cells in the given columns, also if [Binding.Only] names others.
func (r *Reader) Watch(columns []int, do func(*data.Record) error) { r.watch = &watch{columns, do} }

// watches reports whether Watch needs a column.
func (r *Reader) watches(column int) bool {
	return r.watch != nil && slices.Contains(r.watch.columns, column)
}

// rearranged are rows in place of a file's.
type rearranged func(*data.Record) error

// Next returns the next row.
func (next rearranged) Next(rec *data.Record) error { return next(rec) }

// Rearrange makes r read other rows in place of those that are left of its file: next sets a row,
// with a cell for each of r.Columns, or returns io.EOF after the last one. The options of r about
// columns and rows have had their effect and apply no more.
func (r *Reader) Rearrange(next func(*data.Record) error) {
	r.rows, r.project, r.kept, r.pairs, r.watch = rearranged(next), nil, nil, nil, nil
	r.opt.Rows, r.err, r.row, r.count = nil, nil, 0, numbering{}
	r.raw.Cells = make([]data.Cell, len(r.Columns))
}
