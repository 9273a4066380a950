package net

import (
	"fmt"
	"sort"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// kind is the kind of a token; punctuation is its own kind.
type kind byte

const (
	end    kind = 0   // the end of the file
	word   kind = 'w' // an identifier, a number or a keyword
	quoted kind = 'q' // a string
	bad    kind = '!' // text holds the message
)

// token is a piece of text. The text of a string excludes its quotes and includes its escapes.
type token struct {
	kind  kind
	text  string
	off   int
	fresh bool // the first on its line
}

// is reports whether t is one of the given words.
func (t token) is(words ...string) bool {
	for _, w := range words {
		if t.kind == word && t.text == w {
			return true
		}
	}
	return false
}

// describe returns t as messages show it.
func (t token) describe() string {
	if t.kind == end {
		return "end of file"
	}
	return text.Quote(t.text)
}

// lexer splits text into tokens.
type lexer struct {
	src   string
	file  string
	off   int
	fresh bool
	lines []int // the offset of each line
}

func newLexer(file, src string) lexer {
	l := lexer{src: src, file: file, fresh: true, lines: []int{0}}
	for i := range len(l.src) {
		if l.src[i] == '\n' {
			l.lines = append(l.lines, i+1)
		}
	}
	return l
}

// pos returns the position of the byte at off.
func (l *lexer) pos(off int) diag.Pos {
	line := sort.SearchInts(l.lines, off+1) - 1
	return diag.Pos{File: l.file, Line: line + 1, Col: off - l.lines[line] + 1}
}

// punctuation holds the characters that end a word, besides blanks, strings and comments.
const punctuation = "{}()=;|"

// next returns the next token.
func (l *lexer) next() token {
	l.blanks()
	t := token{off: l.off, fresh: l.fresh}
	l.fresh = false
	if l.off == len(l.src) {
		return t
	}
	switch c := l.src[l.off]; {
	case c == '"':
		l.quoted(&t)
	case isControl(c):
		l.control(&t)
	case strings.IndexByte(punctuation, c) >= 0:
		t.kind, t.text = kind(c), l.src[l.off:l.off+1]
		l.off++
	default:
		from := l.off
		for l.off < len(l.src) && inWord(l.src[l.off]) {
			l.off++
		}
		t.kind, t.text = word, l.src[from:l.off]
	}
	return t
}

// isControl reports whether c is a control character.
func isControl(c byte) bool { return c < ' ' && !isBlank(c) || c == 0x7f }

func isBlank(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

func inWord(c byte) bool {
	return !isBlank(c) && !isControl(c) && c != '"' && c != '%' && strings.IndexByte(punctuation, c) < 0
}

// blanks skips blanks and comments, which go from % to the end of the line.
func (l *lexer) blanks() {
	for l.off < len(l.src) {
		switch c := l.src[l.off]; {
		case c == '\n':
			l.fresh = true
			l.off++
		case isBlank(c):
			l.off++
		case c == '%':
			n := strings.IndexByte(l.src[l.off:], '\n')
			if n < 0 {
				n = len(l.src) - l.off
			}
			l.off += n
		default:
			return
		}
	}
}

// quoted reads a string, which may span lines. A quote after a backslash does not end it.
func (l *lexer) quoted(t *token) {
	for i := l.off + 1; i < len(l.src); i++ {
		switch c := l.src[i]; {
		case c == '\\':
			i++
		case isControl(c):
			l.off = i
			l.control(t)
			return
		case c == '"':
			t.kind, t.text = quoted, strings.ReplaceAll(l.src[l.off+1:i], "\r\n", "\n")
			l.off = i + 1
			return
		}
	}
	t.kind, t.text = bad, "string is not closed"
	l.off = len(l.src)
}

// control makes t the report of a control character, and ends the reading: the file is not text.
func (l *lexer) control(t *token) {
	t.kind, t.off = bad, l.off
	t.text = fmt.Sprintf("found the control character 0x%02x; want text", l.src[l.off])
	l.off = len(l.src)
}

// escapes maps the character after a backslash in a string to the meaning of both.
var escapes = map[byte]byte{'"': '"', '\\': '\\', 'n': '\n', 't': '\t', 'r': '\r'}

// unescape returns the meaning of s. If s has an unknown escape, at is its offset; otherwise at is
// negative.
func unescape(s string) (meaning string, at int) {
	if !strings.Contains(s, `\`) {
		return strings.Clone(s), -1
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' {
			var ok bool
			if i+1 == len(s) {
				return "", i
			}
			if c, ok = escapes[s[i+1]]; !ok {
				return "", i
			}
			i++
		}
		out.WriteByte(c)
	}
	return out.String(), -1
}
