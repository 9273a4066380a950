package libra

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// kind is the kind of a token; punctuation is its own kind.
type kind byte

const (
	end  kind = 0   // the end of the file
	word kind = 'w' // a number, name, literal or keyword
)

// token is a piece of text.
type token struct {
	kind  kind
	text  string
	pos   diag.Pos
	fresh bool // the first on its line
}

// is reports whether t is a keyword, in upper or lower case.
func (t token) is(keyword string) bool { return t.kind == word && strings.EqualFold(t.text, keyword) }

// describe returns t as messages show it.
func (t token) describe() string {
	if t.kind == end {
		return "end of file"
	}
	return text.Quote(t.text)
}

// lexer splits a text into words and brackets, and collects errors.
type lexer struct {
	diag.List
	tok   token // the current token
	file  string
	src   string
	off   int
	line  int // from 1
	start int // offset of the line
}

// newLexer returns a lexer at the first token of src.
func newLexer(src *format.Source) lexer {
	l := lexer{file: src.Name, src: string(src.Data), line: 1}
	l.advance()
	return l
}

const (
	blanks   = " \t\r\n\v\f,"
	brackets = "{}()"
)

// advance steps to the next token.
func (l *lexer) advance() {
	fresh := l.off == 0
	for l.off < len(l.src) && strings.IndexByte(blanks, l.src[l.off]) >= 0 {
		l.off++
		if l.src[l.off-1] == '\n' {
			l.line++
			l.start = l.off
			fresh = true
		}
	}
	l.tok = token{pos: diag.Pos{File: l.file, Line: l.line, Col: l.off - l.start + 1}, fresh: fresh}
	if l.off == len(l.src) {
		return
	}
	if strings.IndexByte(brackets, l.src[l.off]) >= 0 {
		l.tok.kind, l.tok.text = kind(l.src[l.off]), l.src[l.off:l.off+1]
		l.off++
		return
	}
	n := strings.IndexAny(l.src[l.off:], blanks+brackets)
	if n < 0 {
		n = len(l.src) - l.off
	}
	l.tok.kind, l.tok.text = word, l.src[l.off:l.off+n]
	l.off += n
}

// fail reports that it found the current token instead of what was wanted. It returns false.
func (l *lexer) fail(want string, args ...any) bool {
	l.Errorf(l.tok.pos, "found %s; want %s", l.tok.describe(), fmt.Sprintf(want, args...))
	return false
}

// punct consumes the given bracket.
func (l *lexer) punct(k kind) bool {
	if l.tok.kind != k {
		return l.fail("%q", string(rune(k)))
	}
	l.advance()
	return true
}
