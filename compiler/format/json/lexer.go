package json

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pgmc-go/pgmc/compiler/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// The kinds of token. A bracket, comma or colon is its own kind.
const (
	end    = 0
	str    = 's'
	number = 'n'
	word   = 'w'
)

type token struct {
	kind byte
	off  int
	text string // of a string its value, otherwise the text in the file
}

// String returns t as messages show it.
func (t token) String() string {
	switch t.kind {
	case end:
		return "the end of the file"
	case str:
		return "the string " + text.Quote(t.text)
	}
	return text.Quote(t.text)
}

// lexer splits a file into tokens. After the first error it is at the end of the file, and reports
// no other.
type lexer struct {
	diag.List
	file  string
	data  string
	off   int
	lines []int // offsets of the line ends
}

func newLexer(file, data string) lexer {
	l := lexer{file: file, data: data}
	for i := range len(data) {
		if data[i] == '\n' {
			l.lines = append(l.lines, i)
		}
	}
	return l
}

// pos returns the position of an offset.
func (l *lexer) pos(off int) diag.Pos {
	line, _ := slices.BinarySearch(l.lines, off)
	start := 0
	if line > 0 {
		start = l.lines[line-1] + 1
	}
	return diag.Pos{File: l.file, Line: line + 1, Col: off - start + 1}
}

// fail reports an error, unless there was one already.
func (l *lexer) fail(off int, format string, args ...any) {
	if !l.HasErrors() {
		l.Errorf(l.pos(off), format, args...)
	}
}

// found reports a token that cannot occur here.
func (l *lexer) found(t token, want string) { l.fail(t.off, "found %v; want %s", t, want) }

// next reads a token.
func (l *lexer) next() token {
	for l.off < len(l.data) && strings.IndexByte(" \t\r\n", l.data[l.off]) >= 0 {
		l.off++
	}
	if l.off == len(l.data) || l.HasErrors() {
		return token{kind: end, off: len(l.data)}
	}
	c := l.data[l.off]
	switch {
	case strings.IndexByte("{}[]:,", c) >= 0:
		l.off++
		return token{c, l.off - 1, l.data[l.off-1 : l.off]}
	case c == '"':
		return l.string()
	case c == '-' || '0' <= c && c <= '9':
		return l.run(number, "0123456789.eE+-")
	case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
		return l.run(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	}
	_, size := utf8.DecodeRuneInString(l.data[l.off:])
	l.fail(l.off, "found %s; want JSON", text.Quote(l.data[l.off:l.off+size]))
	return token{kind: end, off: l.off}
}

// peek returns the next token without consuming it.
func (l *lexer) peek() token {
	off := l.off
	t := l.next()
	l.off = off
	return t
}

// run reads a token made of the given characters.
func (l *lexer) run(kind byte, of string) token {
	start := l.off
	for l.off < len(l.data) && strings.IndexByte(of, l.data[l.off]) >= 0 {
		l.off++
	}
	return token{kind, start, l.data[start:l.off]}
}

// string reads a string.
func (l *lexer) string() token {
	start, escaped := l.off, false
	i := start + 1
	for ; i < len(l.data) && l.data[i] != '"'; i++ {
		switch c := l.data[i]; {
		case c < ' ':
			l.fail(i, "found %q in a string; want an escape such as %s", c, fmt.Sprintf(`\u%04x`, c))
			return token{kind: end, off: i}
		case c == '\\':
			escaped = true
			i++
		}
	}
	if i >= len(l.data) {
		l.fail(start, "found a string without end; want a quotation mark after it")
		return token{kind: end, off: start}
	}
	l.off = i + 1
	raw := l.data[start:l.off]
	if !utf8.ValidString(raw) {
		l.fail(start, "found %s, which is not UTF-8; want text in UTF-8", text.Quote(raw[1:len(raw)-1]))
		return token{kind: end, off: start}
	}
	value := raw[1 : len(raw)-1]
	if escaped && (json.Unmarshal([]byte(raw), &value) != nil || halved(raw)) {
		l.fail(start, "found the string %s with an unknown escape; want those of JSON", text.Quote(raw[1:len(raw)-1]))
		return token{kind: end, off: start}
	}
	return token{str, start, value}
}

// halved reports whether a valid JSON string has half of a surrogate pair, which encodes no
// character.
func halved(raw string) bool {
	hex := func(i int) rune {
		r, _ := strconv.ParseUint(raw[i:i+4], 16, 16) // raw is valid
		return rune(r)
	}
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		i++
		if raw[i] != 'u' || !utf16.IsSurrogate(hex(i+1)) {
			continue
		}
		if !strings.HasPrefix(raw[i+5:], `\u`) || utf16.DecodeRune(hex(i+1), hex(i+7)) == utf8.RuneError {
			return true
		}
		i += 10
	}
	return false
}
