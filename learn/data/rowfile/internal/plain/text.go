// Package plain reads files of text: it decompresses them, checks that they are UTF-8, and splits
// them into lines, with positions for messages and limits against damaged files.
package plain

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// The limits on a file, so that a small or damaged one does no harm.
const (
	MaxLine    = 1 << 20 // bytes of a row
	MaxColumns = 1 << 16
	MaxState   = 1 << 10 // bytes of a state's name in the data
)

// ErrLong reports a row longer than MaxLine.
var ErrLong = fmt.Errorf("the row is longer than %d MiB", MaxLine>>20)

// TooWide returns the error for a file with too many columns.
func TooWide(pos diag.Pos) error {
	return diag.Diagnostic{Pos: pos, Msg: fmt.Sprintf("there are more than %d columns; want at most that many", MaxColumns)}
}

// Open returns the text of a file: decompressed if it starts like gzip, without a byte order mark,
// and checked to be UTF-8. It is an error if the file starts like one of another program.
func Open(name string, in io.Reader) (*bufio.Reader, error) {
	text := bufio.NewReaderSize(in, 1<<16)
	if Starts(text, "\x1f\x8b") {
		packed, err := gzip.NewReader(text)
		if err != nil {
			return nil, Fail(diag.Pos{File: name}, fmt.Errorf("not a gzip file: %w", err))
		}
		text = bufio.NewReaderSize(packed, 1<<16)
	}
	if Starts(text, ParquetMagic) {
		return nil, diag.Diagnostic{Pos: diag.Pos{File: name}, Msg: "this is a Parquet file, which is read from its end; want the name of the file itself, neither a stream nor a file that gzip compressed"}
	}
	for _, f := range foreign {
		if Starts(text, f.start) {
			return nil, diag.Diagnostic{Pos: diag.Pos{File: name}, Msg: "this is " + f.what + "; want separated values (CSV), JSON Lines, ARFF, or rows of numbers: export it as CSV"}
		}
	}
	if Starts(text, "\ufeff") {
		if _, err := text.Discard(len("\ufeff")); err != nil {
			return nil, err
		}
	}
	return bufio.NewReaderSize(&utf8Reader{in: text, pos: diag.Pos{File: name, Line: 1, Col: 1}}, 1<<16), nil
}

// ParquetMagic is how a Parquet file starts and ends.
const ParquetMagic = "PAR1"

// foreign holds formats of data that are not read, by how their files start.
var foreign = []struct{ start, what string }{
	{"ARROW1", "an Arrow file"},
	{"PK\x03\x04", "a zip file, as spreadsheets are"},
	{"\xd0\xcf\x11\xe0", "a spreadsheet of Excel"},
	{"SQLite format 3", "an SQLite database"},
	{`[{`, "a list in JSON"},
}

// Starts reports whether the text starts with s. It reads no byte after one that differs. A read
// error appears at the next read.
func Starts(text *bufio.Reader, s string) bool {
	for n := range s {
		if start, _ := text.Peek(n + 1); string(start) != s[:n+1] {
			return false
		}
	}
	return true
}

// PeekLine returns the line with a number, from 0, of those that are neither blank nor start with
// comment, without surrounding blanks. It does not consume the line, and returns "" if none begins
// within the buffer. It reads no further than that line.
func PeekLine(text *bufio.Reader, comment string, number int) string {
	for n := 1; ; n = text.Buffered() + 1 {
		start, err := text.Peek(n)
		at := 0
		for rest := string(start); rest != ""; {
			line, after, whole := strings.Cut(rest, "\n")
			line, rest = strings.TrimSpace(line), after
			if line != "" && !(comment != "" && strings.HasPrefix(line, comment)) && (whole || err != nil) {
				if at == number {
					return line
				}
				at++
			}
		}
		if err != nil {
			return ""
		}
	}
}

// Lines reads lines and counts them.
type Lines struct {
	Name   string
	Text   *bufio.Reader
	Number int
	Buf    []byte
}

// Next returns the next line that is not blank, without its end. The error is io.EOF after the
// last.
func (l *Lines) Next() (string, error) {
	for {
		line, err := l.line()
		if len(bytes.TrimSpace(line)) > 0 {
			return string(line), nil
		}
		if err != nil {
			return "", err
		}
	}
}

// line returns the next line and the error that ended it. It returns no part of a line that is too
// long or that a read error interrupts.
func (l *Lines) line() ([]byte, error) {
	l.Number++
	l.Buf = l.Buf[:0]
	for {
		part, err := l.Text.ReadSlice('\n')
		if len(l.Buf)+len(part) > MaxLine {
			return nil, Fail(l.Pos(0), ErrLong)
		}
		l.Buf = append(l.Buf, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil && err != io.EOF:
			return nil, Fail(l.Pos(0), InFile(err))
		default:
			return bytes.TrimRight(l.Buf, "\r\n"), err
		}
	}
}

// Pos returns the position of a byte of the line.
func (l *Lines) Pos(at int) diag.Pos { return diag.Pos{File: l.Name, Line: l.Number, Col: at + 1} }

// failure is an error after which nothing can be read.
type failure struct {
	diag.Diagnostic
	cause error
}

// Fail returns cause as a failure at pos, unless it is one that has its own position.
func Fail(pos diag.Pos, cause error) error {
	if f := (*failure)(nil); errors.As(cause, &f) {
		return f
	}
	return &failure{diag.Diagnostic{Pos: pos, Msg: cause.Error()}, cause}
}

// InFile removes the name of the file from an error with a position that has it.
func InFile(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// Unwrap returns the error with its position, and the cause without it.
func (f *failure) Unwrap() []error { return []error{f.Diagnostic, f.cause} }

// Quote quotes a text for a message and cuts a long one.
func Quote(s string) string {
	const most = 60
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return strconv.Quote(s)
}

// QuoteList quotes texts for a message and shortens a long list.
func QuoteList(list []string) string {
	const most = 10
	var parts []string
	for _, s := range list[:min(len(list), most)] {
		parts = append(parts, Quote(s))
	}
	if len(list) > most {
		parts = append(parts, "...")
	}
	return strings.Join(parts, ", ")
}
