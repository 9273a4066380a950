package tokens

import (
	"sort"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// The kinds of token. A punctuation character is its own kind.
const (
	End    = 0
	Word   = 'w'
	Quoted = 'q'
)

const punctuation = "{}()[]=,;:|"

// Token is a piece of text, without the quotes of a string and with its escapes.
type Token struct {
	Kind byte
	Text string
	Off  int
}

// Is reports whether t is one of the given words.
func (t Token) Is(words ...string) bool {
	for _, w := range words {
		if t.Kind == Word && t.Text == w {
			return true
		}
	}
	return false
}

// String describes the token in errors.
func (t Token) String() string {
	if t.Kind == End {
		return "the end of the file"
	}
	return text.Quote(t.Text)
}

// lexer splits a file into tokens.
type lexer struct {
	src, file string
	escapes   bool // a backslash in a string escapes the next character
	off       int
	lines     []int // the offset of each line
}

func newLexer(file, src string, escapes bool) lexer {
	l := lexer{src: src, file: file, escapes: escapes, lines: []int{0}}
	for i := range len(src) {
		if src[i] == '\n' {
			l.lines = append(l.lines, i+1)
		}
	}
	return l
}

// Pos returns the position of an offset.
func (l *lexer) Pos(off int) diag.Pos {
	line := sort.SearchInts(l.lines, off+1) - 1
	return diag.Pos{File: l.file, Line: line + 1, Col: off - l.lines[line] + 1}
}

// next reads a token.
func (l *lexer) next() Token {
	l.blanks()
	if l.off == len(l.src) {
		return Token{Off: l.off}
	}
	from := l.off
	switch c := l.src[from]; {
	case c == '"':
		return l.quoted()
	case strings.IndexByte(punctuation, c) >= 0:
		l.off++
		return Token{c, l.src[from:l.off], from}
	}
	for l.off < len(l.src) && !isBlank(l.src[l.off]) && strings.IndexByte(punctuation+"\"", l.src[l.off]) < 0 {
		l.off++
	}
	return Token{Word, l.src[from:l.off], from}
}

// quoted reads a string. A string without end goes to the end of its line, or, if it may have
// escaped line ends, to the end of the file.
func (l *lexer) quoted() Token {
	from := l.off
	i := from + 1
	for i < len(l.src) && l.src[i] != '"' && (l.escapes || l.src[i] != '\n') {
		if l.escapes && l.src[i] == '\\' {
			i++
		}
		i++
	}
	i = min(i, len(l.src))
	l.off = min(i+1, len(l.src))
	return Token{Quoted, l.src[from+1 : i], from}
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
