package format

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"github.com/pgmc-go/pgmc/learn/data"
)

// LeastPiece is the least number of bytes of a piece. Rows between two places that a piece cannot
// have are read one by one if they have fewer bytes.
var LeastPiece = 1 << 12

// wholeLines returns the whole lines that fit the buffer of text.
func wholeLines(text *bufio.Reader) []byte {
	buf, _ := text.Peek(text.Size()) // an error appears at the next read
	return buf[:bytes.LastIndexByte(buf, '\n')+1]
}

// takePiece takes text from the start of a buffer, if it is long enough.
func takePiece(from *bufio.Reader, text []byte) (piece string, lines int) {
	if len(text) < LeastPiece {
		return "", 0
	}
	piece, lines = string(text), bytes.Count(text, []byte("\n"))
	from.Discard(len(text))
	return piece, lines
}

// Lines reads rows of which each is a line.
type Lines struct {
	csvRows
	rest   string
	quotes bool // a value is in quotes
	length int  // bytes of the line that Line returned, without the end of line
}

// Piece implements [Divided]. A blank line may be a row if there is one column, which the rows
// after it decide.
func (c *csvRows) Piece() Rows {
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
	p := &Lines{csvRows: *c, rest: rest, quotes: strings.IndexByte(rest, '"') >= 0}
	p.plain, p.limit = first, &limited{comma: c.limit.comma}
	return p
}

// Next returns the next row.
func (c *Lines) Next(rec *data.Record) error {
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

// Plain reports whether no value is in quotes and no separator is any number of blanks.
func (c *Lines) Plain() bool { return !c.quotes && !c.blanks }

// Columns returns the number of values of a line.
func (c *Lines) Columns() int { return c.want }

// Separator returns the separator of values, and reports whether blanks before a value are ignored.
func (c *Lines) Separator() (comma byte, trim bool) { return c.limit.comma, c.csv.TrimLeadingSpace }

// Line returns the next line, without its end, and false if none is left.
func (c *Lines) Line() (line string, ok bool) {
	if c.rest == "" {
		return "", false
	}
	c.length = strings.IndexByte(c.rest, '\n')
	return strings.TrimSuffix(c.rest[:c.length], "\r"), true
}

// Skip goes to the line after the one that Line returned, and returns the place of that one.
func (c *Lines) Skip() (file string, number int) {
	c.rest = c.rest[c.length+1:]
	c.plain++
	return c.name, c.plain
}
