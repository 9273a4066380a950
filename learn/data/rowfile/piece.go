package rowfile

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/format"
)

// piece takes a piece of the file, rows that can be read apart from the others, and returns its
// reader. It returns nil if the next row has to be read by Next.
func (r *Reader) piece() *Reader {
	whole, ok := r.rows.(format.Divided)
	if !ok || r.err != nil || r.opt.Rows != nil || r.pairs != nil || r.watch != nil || r.couldNumber() {
		return nil
	}
	rows := whole.Piece()
	if rows == nil {
		return nil
	}
	p := *r
	p.rows, p.raw.Cells, p.rec.Cells = rows, make([]data.Cell, len(r.raw.Cells)), make([]data.Cell, len(r.rec.Cells))
	return &p
}

// linesOf returns the lines that rows, of a file or part, have; nil if they are none of CSV.
func linesOf(rows format.Rows) *format.Lines {
	if p, ok := rows.(*placed); ok {
		rows = p.rows
	}
	lines, _ := rows.(*format.Lines)
	return lines
}

// decode adds the next rows to a block as fill does, without cells, up to a row that needs these:
// it is blank, cannot be read, or has a value in quotes or after blanks.
func (b *Binding) decode(c *format.Lines, k *Block) {
	if k.width > 0 || !c.Plain() || !b.placeColumns(c.Columns()) {
		return
	}
	comma, trim := c.Separator()
	for line, ok := c.Line(); ok; line, ok = c.Line() {
		k.makeRoom()
		if !b.values(line, comma, trim, k) {
			return
		}
		file, number := c.Skip()
		k.finish(1, file, number, 1)
	}
}

// values stores the values of a line in the row after the last of a block. It ignores blanks before
// a value if trim is set.
func (b *Binding) values(line string, comma byte, trim bool, k *Block) bool {
	left := len(b.ofColumn)
	for _, v := range b.ofColumn {
		if trim && line != "" && (line[0] <= ' ' || line[0] >= utf8.RuneSelf) {
			return false
		}
		text, end := line, strings.IndexByte(line, comma)
		if left--; (end < 0) != (left == 0) {
			return false
		}
		if end >= 0 {
			text, line = line[:end], line[end+1:]
		}
		if v < 0 {
			continue
		}
		d := &b.dicts[v]
		state, ok := d.Recent(text)
		if !ok {
			if state, ok = d.Find(&data.Cell{Text: text}); !ok {
				return false
			}
		}
		k.Columns[v].set(k.Rows, state, d.Value)
	}
	for i := range b.same {
		x := &b.same[i]
		k.Columns[x.variable].set(k.Rows, x.state, x.value)
	}
	return true
}

// sameValue is the value of a variable in all rows of a part, which has no column of it.
type sameValue struct {
	variable, state int
	value           float64
	bad             bool // it is no state of the variable, and must be
	text            string
}

// placeColumns finds the variable of each column of a file or part, or -1, and the variables that
// have one value. It reports false if such a value is no state of its variable.
func (b *Binding) placeColumns(columns int) bool {
	p, _ := b.r.rows.(*placed)
	if b.ofColumn != nil && (p == nil || p.part == b.ofPart) {
		return true
	}
	b.ofColumn, b.same = slices.Repeat([]int{-1}, columns), nil
	for v, c := range b.Column {
		if c >= 0 && b.r.kept != nil {
			c = b.r.kept[c]
		}
		switch {
		case c < 0:
		case p == nil:
			b.ofColumn[c] = v
		case p.place[c] >= 0:
			b.ofColumn[p.place[c]] = v
		default:
			d := &b.dicts[v]
			state, ok := d.Find(&p.rest[c])
			if !ok {
				b.ofColumn = nil
				return false
			}
			b.same = append(b.same, sameValue{variable: v, state: state, value: d.Value})
		}
	}
	if p != nil {
		b.ofPart = p.part
	}
	return true
}
