package numbers

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// Comments is a set of kinds of comments.
type Comments uint8

// The kinds of comments.
const (
	Hash  Comments = 1 << iota // from # to the end of the line
	CLine                      // a line whose first word is c
	Block                      // /* */, which may span lines
)

// Word is a run of characters between blanks. At the end of the text it is empty.
type Word struct {
	Text       string
	line, col  int
	FirstOfRow bool // the first word of its line
}

// Reader splits a text into words and collects errors.
type Reader struct {
	diag.List
	Word                                      // the current word
	OnComment func(pos diag.Pos, text string) // if set, called for each comment, without its marks

	file, src string
	comments  Comments
	off       int
	line      int // from 1
	start     int // offset of the line
	used      int // the line of the previous word
	broken    bool
	exp       int // log2 of what tables were divided by
}

// New returns a reader of src before its first word.
func New(src *format.Source, comments Comments) *Reader {
	return &Reader{
		file:     src.Name,
		src:      string(src.Data),
		comments: comments,
		line:     1,
	}
}

// Size returns the number of bytes of the text.
func (r *Reader) Size() int { return len(r.src) }

// Pos returns the position of the current word.
func (r *Reader) Pos() diag.Pos { return r.PosOf(r.Word) }

// PosOf returns the position of w.
func (r *Reader) PosOf(w Word) diag.Pos { return diag.Pos{File: r.file, Line: w.line, Col: w.col} }

// AtEnd reports whether the text is at its end, without a current word.
func (r *Reader) AtEnd() bool { return r.Text == "" }

// Next steps to the next word.
func (r *Reader) Next() {
	r.blanks()
	from := r.off
	for r.off < len(r.src) && r.src[r.off] > ' ' && !r.atMark() {
		r.off++
	}
	r.Word = Word{Text: r.src[from:r.off], line: r.line, col: from - r.start + 1, FirstOfRow: r.used != r.line}
	r.used = r.line
}

// blanks skips blanks and comments. Control characters count as blanks: a word that they split is
// not a number anyway.
func (r *Reader) blanks() {
	for r.off < len(r.src) {
		switch c := r.src[r.off]; {
		case c == '\n':
			r.off++
			r.line++
			r.start = r.off
		case c <= ' ':
			r.off++
		case r.atMark() || c == 'c' && r.atCLine():
			r.comment()
		default:
			return
		}
	}
}

// atMark reports whether # or /* stands here and starts a comment.
func (r *Reader) atMark() bool {
	switch r.src[r.off] {
	case '#':
		return r.comments&Hash != 0
	case '/':
		return r.comments&Block != 0 && strings.HasPrefix(r.src[r.off:], "/*")
	}
	return false
}

// atCLine reports whether the c here is the first word of its line.
func (r *Reader) atCLine() bool {
	return r.comments&CLine != 0 && r.used != r.line && (r.off+1 == len(r.src) || r.src[r.off+1] <= ' ')
}

// comment skips a comment, except for the newline that ends it.
func (r *Reader) comment() {
	pos := diag.Pos{File: r.file, Line: r.line, Col: r.off - r.start + 1}
	marks, end := 1, "\n"
	if r.src[r.off] == '/' {
		marks, end = 2, "*/"
	}
	text, _, closed := strings.Cut(r.src[r.off+marks:], end)
	if r.OnComment != nil {
		r.OnComment(pos, text)
	}
	r.off += marks + len(text)
	if marks == 1 {
		return
	}
	if n := strings.Count(text, "\n"); n > 0 {
		r.line += n
		r.start = r.off - len(text) + strings.LastIndexByte(text, '\n') + 1
	}
	if !closed {
		r.Errorf(pos, "comment is not closed; want */")
		r.broken = true
		return
	}
	r.off += len(end)
}

// Found returns the current word for a message.
func (r *Reader) Found() string {
	if r.AtEnd() {
		return "end of file"
	}
	return text.Quote(r.Text)
}

// Fail reports that it found the current word instead of what was wanted. It returns false.
func (r *Reader) Fail(want string) bool {
	if !r.broken {
		r.Errorf(r.Pos(), "found %s; want %s", r.Found(), want)
	}
	return false
}

// Int reads a number from lo to hi and steps past it.
func (r *Reader) Int(lo, hi int, want string) (int, bool) {
	n, err := strconv.Atoi(r.Text)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, r.Fail(want)
	case err != nil || n < lo || n > hi:
		if hi == math.MaxInt {
			return 0, r.Fail(fmt.Sprintf("%s, at least %d", want, lo))
		}
		return 0, r.Fail(fmt.Sprintf("%s, from %d to %d", want, lo, hi))
	}
	r.Next()
	return n, true
}

// Float reads a finite number and steps past it.
func (r *Reader) Float(want string) (float64, bool) {
	x, err := strconv.ParseFloat(r.Text, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, r.Fail(want + " that a float64 can hold")
	case err != nil || !plain(r.Text):
		return 0, r.Fail(want)
	}
	r.Next()
	return x, true
}

// plain reports whether a number is decimal, rather than hexadecimal or a word such as inf.
func plain(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c|0x20 != 'e' {
			return false
		}
	}
	return true
}

// Claim reports whether the text from the current word on is long enough for n words, and adds an
// error if it is not. Call it before allocating memory for n things.
func (r *Reader) Claim(at Word, n int, what string) bool {
	left := (len(r.src) - r.off + len(r.Text) + 1) / 2 // each word takes a byte and a blank
	if n > left {
		r.Errorf(r.PosOf(at), "the file declares %d %s; the rest of it has room for at most %d", n, what, left)
		return false
	}
	return true
}

// Done reports an error if anything follows the last part.
func (r *Reader) Done() {
	if !r.AtEnd() {
		r.Fail("end of file")
	}
}
