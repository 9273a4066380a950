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
