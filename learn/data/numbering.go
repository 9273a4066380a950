package data

import (
	"slices"
	"strconv"
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
func (n *numbering) follow(rec *Record) {
	of, t := rec.Cells[0].Text, rec.Cells[1].Text
	if of != n.sequence {
		n.sequence, n.slice = of, 0
	}
	n.broken = n.broken || t != strconv.Itoa(n.slice)
	n.slice++
}

// couldNumber reports whether the first two of at least three columns have the names of
// [NumberingColumns].
func (r *Reader) couldNumber() bool {
	names := NumberingColumns()
	return r.pairs == nil && len(r.Columns) > len(names) && r.Columns[0].Name == names[0] && r.Columns[1].Name == names[1]
}

// Numbers reports whether, in the rows read so far, the first two columns number the slices of
// sequences: they have the names of [NumberingColumns], and the second counts from 0 in the rows of
// each sequence, which are together.
func (r *Reader) Numbers() bool {
	return r.couldNumber() && !r.count.broken && r.count.slice > 0
}

// leaveNumbering removes the columns of Numbering unless they hold variables.
func (l *loader) leaveNumbering() {
	if !l.r.Numbers() {
		return
	}
	named := append(slices.Clone(l.opt.Real), l.opt.Class)
	for _, c := range l.opt.Columns {
		named = append(named, c.Column)
	}
	for v := len(l.b.Column) - 1; v >= 0; v-- {
		name := l.r.Columns[l.b.Column[v]].Name
		if l.b.Column[v] > 1 || !slices.Contains(l.opt.Numbering, name) || slices.Contains(named, name) {
			continue
		}
		l.b.Column, l.b.dicts = slices.Delete(l.b.Column, v, v+1), slices.Delete(l.b.dicts, v, v+1)
		l.set.columns = slices.Delete(l.set.columns, v, v+1)
		if l.set.reals != nil {
			l.set.reals = slices.Delete(l.set.reals, v, v+1)
		}
	}
}
