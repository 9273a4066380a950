package rowfile

import (
	"strconv"

	"github.com/pgmc-go/pgmc/learn/data"
)

// NumberingColumns returns the names of the two columns that number the slices of sequences in
// files of pgmc sample: the sequence, and the slice from 0.
func NumberingColumns() []string { return []string{"sequence", "t"} }

// numbering follows the first two columns of a reader.
type numbering struct {
	broken   bool   // a row continued no sequence and began none
	sequence string // of the last row
	slice    int    // of the next row of that sequence
}

// follow takes a row into account.
func (n *numbering) follow(rec *data.Record) {
	of, t := rec.Cells[0].Text, rec.Cells[1].Text
	if of != n.sequence {
		n.sequence, n.slice = of, 0
	}
	n.broken = n.broken || t != strconv.Itoa(n.slice)
	n.slice++
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
