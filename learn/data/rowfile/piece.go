package rowfile

import (
	"bufio"
	"bytes"
	"github.com/pgmc-go/pgmc/learn/data"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// leastPiece is the least number of bytes of a piece. Rows between two places that a piece cannot
// have are read one by one if they have fewer bytes.
var leastPiece = 1 << 12

// rowReader reads the rows of a file, or of a piece of it.
type rowReader interface{ next(*data.Record) error }

// piece takes a piece of the file, rows that can be read apart from the others, and returns its
// reader. It returns nil if the next row has to be read by Next.
func (r *Reader) piece() *Reader {
	whole, ok := r.rows.(interface{ piece() rowReader })
	if !ok || r.err != nil || r.opt.Rows != nil || r.pairs != nil || r.watch != nil || r.couldNumber() {
		return nil
	}
	rows := whole.piece()
	if rows == nil {
		return nil
	}
	p := *r
	p.rows, p.raw.Cells, p.rec.Cells = rows, make([]data.Cell, len(r.raw.Cells)), make([]data.Cell, len(r.rec.Cells))
	return &p
}

// wholeLines returns the whole lines that fit the buffer of text.
func wholeLines(text *bufio.Reader) []byte {
	buf, _ := text.Peek(text.Size()) // an error appears at the next read
	return buf[:bytes.LastIndexByte(buf, '\n')+1]
}

// takePiece takes text from the start of a buffer, if it is long enough.
func takePiece(from *bufio.Reader, text []byte) (piece string, lines int) {
	if len(text) < leastPiece {
		return "", 0
	}
	piece, lines = string(text), bytes.Count(text, []byte("\n"))
	from.Discard(len(text))
	return piece, lines
}

// csvPiece reads rows of which each is a line.
type csvPiece struct {
	csvRows
	rest   string
	quotes bool // a value is in quotes
}

// piece implements [Reader.piece]. A blank line may be a row if there is one column, which the rows
// after it decide.
func (c *csvRows) piece() rowReader {
	if !c.begun || c.want == 1 {
		return nil
	}
	text := wholeLines(c.text)
	for at := 0; ; { // rows with quotes must end with their line
		quote := bytes.IndexByte(text[at:], '"')
		if quote < 0 {
			break
		}
		start := bytes.LastIndexByte(text[:at+quote], '\n') + 1
		at += quote + bytes.IndexByte(text[at+quote:], '\n') + 1
		var ok bool
		if c.scratch, ok = c.split(c.scratch[:0], strings.TrimSuffix(string(text[start:at-1]), "\r"), 0); !ok {
			text = text[:start]
			break
		}
	}
	first := c.plain + c.limit.lines
	rest, lines := takePiece(c.text, text)
	if lines == 0 {
		return nil
	}
	c.plain += lines
	p := &csvPiece{*c, rest, strings.IndexByte(rest, '"') >= 0}
	p.plain, p.limit = first, &limited{comma: c.limit.comma}
	return p
}

// linesOf returns the lines that rows, of a file or part, have; nil if they are no csvPiece.
func linesOf(rows rowReader) *csvPiece {
	if p, ok := rows.(*placed); ok {
		rows = p.rows
	}
	lines, _ := rows.(*csvPiece)
	return lines
}

// next returns the next row.
func (c *csvPiece) next(rec *data.Record) error {
	for c.rest != "" {
		var line string
		line, c.rest, _ = strings.Cut(c.rest, "\n")
		c.plain++
		if line = strings.TrimSuffix(line, "\r"); line != "" {
			cells, _ := c.split(rec.Cells[:0], line, c.plain)
			return c.accept(rec, cells)
		}
	}
	return io.EOF
}

// decode adds the next rows to a block as fill does, without cells, up to a row that needs these:
// it is blank, cannot be read, or has a value in quotes or after blanks.
func (c *csvPiece) decode(b *Binding, k *Block) {
	if c.quotes || c.blanks || k.width > 0 || !b.placeColumns(c.want) {
		return
	}
	for c.rest != "" {
		end := strings.IndexByte(c.rest, '\n')
		k.makeRoom()
		if !c.values(strings.TrimSuffix(c.rest[:end], "\r"), b, k) {
			return
		}
		c.rest = c.rest[end+1:]
		c.plain++
		k.finish(1, c.name, c.plain, 1)
	}
}

// values stores the values of a line in the row after the last of a block.
func (c *csvPiece) values(line string, b *Binding, k *Block) bool {
	comma, trim, left := c.limit.comma, c.csv.TrimLeadingSpace, len(b.ofColumn)
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
		state, ok := d.recent(text)
		if !ok {
			if state, ok = d.find(&data.Cell{Text: text}); !ok {
				return false
			}
		}
		k.Columns[v].set(k.Rows, state, d.value)
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
			state, ok := d.find(&p.rest[c])
			if !ok {
				b.ofColumn = nil
				return false
			}
			b.same = append(b.same, sameValue{variable: v, state: state, value: d.value})
		}
	}
	if p != nil {
		b.ofPart = p.part
	}
	return true
}

// piece implements [Reader.piece].
func (j *jsonRows) piece() rowReader {
	if len(j.ahead) > 0 || j.broken != nil {
		return nil
	}
	first := j.lines.number
	rest, lines := takePiece(j.lines.text, wholeLines(j.lines.text))
	if lines == 0 {
		return nil
	}
	j.lines.number += lines
	p := &jsonRows{columns: j.columns}
	p.lines.name, p.lines.number, p.lines.text = j.lines.name, first, bufio.NewReader(strings.NewReader(rest))
	return p
}
