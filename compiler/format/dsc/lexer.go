package dsc

import (
	"sort"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// The kinds of token. A punctuation character is its own kind.
const (
	end    = 0
	word   = 'w'
	quoted = 'q'
)

const punctuation = "{}()[]=,;:|"

// token is a piece of text, without the quotes of a string.
type token struct {
	kind byte
	text string
	off  int
}

// String describes the token in errors.
func (t token) String() string {
	if t.kind == end {
		return "the end of the file"
	}
	return text.Quote(t.text)
}

// lexer splits a file into tokens.
type lexer struct {
	src, file string
	off       int
	lines     []int // the offset of each line
}

func newLexer(file, src string) lexer {
	l := lexer{src: src, file: file, lines: []int{0}}
	for i := range len(src) {
		if src[i] == '\n' {
			l.lines = append(l.lines, i+1)
		}
	}
	return l
}

// pos returns the position of an offset.
func (l *lexer) pos(off int) diag.Pos {
	line := sort.SearchInts(l.lines, off+1) - 1
	return diag.Pos{File: l.file, Line: line + 1, Col: off - l.lines[line] + 1}
}

// next reads a token. A string without end goes to the end of its line.
func (l *lexer) next() token {
	l.blanks()
	if l.off == len(l.src) {
		return token{off: l.off}
	}
	from := l.off
	switch c := l.src[from]; {
	case c == '"':
		n := strings.IndexAny(l.src[from+1:], "\"\n")
		if n < 0 {
			n = len(l.src) - from - 1
		}
		l.off = min(len(l.src), from+n+2)
		return token{quoted, l.src[from+1 : from+1+n], from}
	case strings.IndexByte(punctuation, c) >= 0:
		l.off++
		return token{c, l.src[from:l.off], from}
	}
	for l.off < len(l.src) && !isBlank(l.src[l.off]) && strings.IndexByte(punctuation+"\"", l.src[l.off]) < 0 {
		l.off++
	}
	return token{word, l.src[from:l.off], from}
}

func isBlank(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// blanks skips blanks and comments.
func (l *lexer) blanks() {
	for l.off < len(l.src) {
		rest := l.src[l.off:]
		ending := ""
		switch {
		case isBlank(rest[0]):
			l.off++
			continue
		case strings.HasPrefix(rest, "//"):
			ending = "\n"
		case strings.HasPrefix(rest, "/*"):
			ending = "*/"
		default:
			return
		}
		if n := strings.Index(rest[2:], ending); n >= 0 {
			l.off += 2 + n + len(ending)
		} else {
			l.off = len(l.src)
		}
	}
}
