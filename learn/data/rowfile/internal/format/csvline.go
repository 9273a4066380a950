package format

import (
	"bufio"
	"bytes"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/plain"
)

// split appends the cells of a line with a number. The line is not empty and lacks its end. Split
// agrees with encoding/csv, and reports false for a line with a quote inside a value, or a quoted
// value that does not end.
func (c *csvRows) split(cells []data.Cell, line string, number int) (out []data.Cell, ok bool) {
	comma, quotes := c.limit.comma, strings.IndexByte(line, '"') >= 0
	for at := 0; ; at++ {
		if at < len(line) && (line[at] <= ' ' || line[at] >= utf8.RuneSelf) && c.csv.TrimLeadingSpace {
			at = len(line) - len(strings.TrimLeftFunc(line[at:], unicode.IsSpace))
		}
		text, col := line[at:], at+1
		if quotes && text != "" && text[0] == '"' {
			end := strings.IndexByte(text[1:], '"') + 1
			if at += end + 1; end == 0 || at < len(line) && line[at] != comma {
				return nil, false
			}
			text = text[1:end]
		} else {
			if end := strings.IndexByte(text, comma); end >= 0 {
				text = text[:end]
			}
			if at += len(text); quotes && strings.IndexByte(text, '"') >= 0 {
				return nil, false
			}
		}
		cells = append(cells, data.Cell{Text: text, Line: number, Col: col})
		if at == len(line) {
			return cells, true
		}
	}
}

// errWide reports a row that has far more than [plain.MaxColumns] columns, before it is split.
var errWide = errors.New("too many columns")

// limited is a reader of single rows, for encoding/csv: a line at a time, so that the lines after a
// row remain. It ends at the limit on the length of a row.
type limited struct {
	in           *bufio.Reader
	comma        byte
	left, commas int    // of the row
	ahead        []byte // the start of the row, which was read, or the rest of it
	err          error  // the error after that
	lines        int    // the lines that were read
}

// begin begins a row with what ReadSlice returned for its first line.
func (l *limited) begin(line []byte, err error) {
	l.left, l.commas = plain.MaxLine, 2*plain.MaxColumns
	l.ahead, l.err = line, err
}

// Read reads up to the end of the line, and at most the rest of the row's limit. Its error is
// [plain.ErrLong] if the row exceeds the limit, and errWide if it has too many commas.
func (l *limited) Read(p []byte) (int, error) {
	if l.left == 0 {
		return 0, plain.ErrLong
	}
	if len(l.ahead) == 0 && (l.err == nil || l.err == bufio.ErrBufferFull) {
		l.ahead, l.err = l.in.ReadSlice('\n')
	}
	n := copy(p[:min(len(p), l.left)], l.ahead)
	l.ahead = l.ahead[n:]
	l.left -= n
	l.lines += bytes.Count(p[:n], []byte("\n"))
	if l.commas -= bytes.Count(p[:n], []byte{l.comma}); l.commas < 0 {
		return 0, errWide
	}
	if len(l.ahead) == 0 && l.err != bufio.ErrBufferFull {
		return n, l.err
	}
	return n, nil
}
