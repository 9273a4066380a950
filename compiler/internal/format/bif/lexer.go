package bif

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// kind is the kind of a token; punctuation is its own kind.
type kind byte

const (
	end    kind = 0   // the end of the file
	word   kind = 'w' // a name, number or keyword
	quoted kind = 'q' // a name in quotes
	bad    kind = '!' // text holds the message
)

// token is a piece of text. The text of a quoted name excludes its quotes.
type token struct {
	kind  kind
	text  string
	pos   diag.Pos
	fresh bool // the first on its line
}

// is reports whether t is the given keyword.
func (t token) is(keyword string) bool { return t.kind == word && t.text == keyword }

// describe returns t as error messages show it.
func (t token) describe() string {
	if t.kind == end {
		return "end of file"
	}
	return text.Quote(t.text)
}

// class says how the lexer treats a byte.
type class uint8

const (
	inWord  class = iota // names and numbers, and any byte beyond ASCII
	blank                // includes "," and "|"
	punct                // brackets and ";"
	quoteCh              // "
	control              // not text: refused
)

var classes = func() (c [256]class) {
	for b := range 0x20 {
		c[b] = control
	}
	c[0x7f] = control
	for _, b := range " \t\r\n\v\f,|" {
		c[b] = blank
	}
	for _, b := range "{}()[];" {
		c[b] = punct
	}
	c['"'] = quoteCh
	return c
}()

// lexer splits text into tokens. A copy of a lexer is a place to return to.
type lexer struct {
	src   string
	file  string
	off   int
	line  int // from 1
	start int // offset of the line
	fresh bool
}

func newLexer(file, src string) lexer {
	return lexer{src: src, file: file, line: 1, fresh: true}
}

// pos returns the position of the byte at off on the current line.
func (l *lexer) pos() diag.Pos {
	return diag.Pos{File: l.file, Line: l.line, Col: l.off - l.start + 1}
}

// newline steps past the newline at off and counts the line.
func (l *lexer) newline() {
	l.off++
	l.line++
	l.start = l.off
	l.fresh = true
}

// next returns the next token.
func (l *lexer) next() token {
	closed := l.blanks()
	t := token{pos: l.pos(), fresh: l.fresh}
	l.fresh = false
	switch {
	case !closed:
		t.kind, t.text = bad, "comment is not closed"
		l.off = len(l.src)
		return t
	case l.off == len(l.src):
		return t
	}
	c := l.src[l.off]
	switch classes[c] {
	case punct:
		t.kind, t.text = kind(c), l.src[l.off:l.off+1]
		l.off++
	case quoteCh:
		l.quoted(&t)
	case control:
		t.kind, t.text = bad, fmt.Sprintf("found the control character 0x%02x; want text", c)
		l.off = len(l.src) // not a text file
	default:
		from := l.off
		for l.off < len(l.src) && classes[l.src[l.off]] == inWord && !l.atComment() {
			l.off++
		}
		t.kind, t.text = word, l.src[from:l.off]
	}
	return t
}

// quoted reads a name in quotes. A name has no escapes and ends on its line.
func (l *lexer) quoted(t *token) {
	rest := l.src[l.off+1:]
	n := strings.IndexAny(rest, "\"\n")
	if n < 0 || rest[n] == '\n' {
		t.kind, t.text = bad, "quoted name is not closed on its line"
		l.off++
		return
	}
	t.kind, t.text = quoted, rest[:n]
	l.off += n + 2
	for _, c := range []byte(t.text) {
		if classes[c] == control || c == '\r' || c == '\v' || c == '\f' {
			t.kind, t.text = bad, fmt.Sprintf("found the control character 0x%02x in a quoted name", c)
			return
		}
	}
}

// blanks skips blanks and comments, and reports whether all comments are closed.
func (l *lexer) blanks() bool {
	for l.off < len(l.src) {
		switch c := l.src[l.off]; {
		case c == '\n':
			l.newline()
		case classes[c] == blank:
			l.off++
		case l.atComment():
			if !l.comment() {
				return false
			}
		default:
			return true
		}
	}
	return true
}

// atComment reports whether a comment starts here.
func (l *lexer) atComment() bool {
	if l.src[l.off] != '/' || l.off+1 == len(l.src) {
		return false
	}
	c := l.src[l.off+1]
	return c == '/' || c == '*'
}

// comment skips one comment, except for the newline that ends a // comment, and reports whether it
// is closed.
func (l *lexer) comment() bool {
	if l.src[l.off+1] == '/' {
		n := strings.IndexByte(l.src[l.off:], '\n')
		if n < 0 {
			n = len(l.src) - l.off
		}
		l.off += n
		return true
	}
	n := strings.Index(l.src[l.off+2:], "*/")
	if n < 0 {
		return false
	}
	stop := l.off + 2 + n + 2
	for l.off < stop {
		if l.src[l.off] == '\n' {
			l.newline()
		} else {
			l.off++
		}
	}
	return true
}

// property reads the free text after the word "property". It ends at ";", at the "}" of the block,
// or at the end of a line if the next line starts another item.
func (l *lexer) property() string {
	from, depth := l.off, 0
	for l.off < len(l.src) {
		switch c := l.src[l.off]; {
		case c == ';':
			l.off++
			return l.src[from : l.off-1]
		case c == '}' && depth == 0:
			return l.src[from:l.off]
		case c == '\n':
			stop := l.off
			if !l.blanks() || l.startsItem() {
				return l.src[from:stop]
			}
		case c == '"':
			l.off++
			if n := strings.IndexAny(l.src[l.off:], "\"\n"); n >= 0 && l.src[l.off+n] == '"' {
				l.off += n + 1
			}
		case l.atComment():
			if !l.comment() {
				return l.src[from:l.off]
			}
		default:
			if c == '{' {
				depth++
			} else if c == '}' {
				depth--
			}
			l.off++
		}
	}
	return l.src[from:]
}

// startsItem reports whether the block ends here or its next item starts here.
func (l *lexer) startsItem() bool {
	look := *l
	t := look.next()
	switch t.kind {
	case '}', '(', end, bad:
		return true
	}
	return t.is("property") || t.is("type") || t.is("table") || t.is("default")
}
