package jsontext

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// The kinds of token. A bracket, comma or colon is its own kind.
const (
	End    = 0
	Str    = 's'
	Number = 'n'
	Word   = 'w'
)

// Token is a piece of the text.
type Token struct {
	Kind byte   // one of the constants, or a bracket, comma or colon
	Off  int    // its offset
	Text string // of a string its value, otherwise the text in the file
}

// String returns t as messages show it.
func (t Token) String() string {
	switch t.Kind {
	case End:
		return "the end of the file"
	case Str:
		return "the string " + text.Quote(t.Text)
	}
	return text.Quote(t.Text)
}

// Lexer splits a file into tokens. After the first error it is at the end of the file, and reports
// no other.
type Lexer struct {
	diag.List
	Off   int // after the last token
	file  string
	data  string
	lines []int // offsets of the line ends
}

// New returns a lexer of the text of a file.
func New(file, data string) Lexer {
	l := Lexer{file: file, data: data}
	for i := range len(data) {
		if data[i] == '\n' {
			l.lines = append(l.lines, i)
		}
	}
	return l
}

// Pos returns the position of an offset.
func (l *Lexer) Pos(off int) diag.Pos {
	line, _ := slices.BinarySearch(l.lines, off)
	start := 0
	if line > 0 {
		start = l.lines[line-1] + 1
	}
	return diag.Pos{File: l.file, Line: line + 1, Col: off - start + 1}
}

// Left returns the number of bytes after what was read.
func (l *Lexer) Left() int { return len(l.data) - l.Off }

// Fail reports an error, unless there was one already.
func (l *Lexer) Fail(off int, format string, args ...any) {
	if !l.HasErrors() {
		l.Errorf(l.Pos(off), format, args...)
	}
}

// Found reports a token that cannot occur here.
func (l *Lexer) Found(t Token, want string) { l.Fail(t.Off, "found %v; want %s", t, want) }

// Next reads a token.
func (l *Lexer) Next() Token {
	for l.Off < len(l.data) && strings.IndexByte(" \t\r\n", l.data[l.Off]) >= 0 {
		l.Off++
	}
	if l.Off == len(l.data) || l.HasErrors() {
		return Token{Kind: End, Off: len(l.data)}
	}
	c := l.data[l.Off]
	switch {
	case strings.IndexByte("{}[]:,", c) >= 0:
		l.Off++
		return Token{c, l.Off - 1, l.data[l.Off-1 : l.Off]}
	case c == '"':
		return l.string()
	case c == '-' || '0' <= c && c <= '9':
		return l.run(Number, "0123456789.eE+-")
	case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
		return l.run(Word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	}
	_, size := utf8.DecodeRuneInString(l.data[l.Off:])
	l.Fail(l.Off, "found %s; want JSON", text.Quote(l.data[l.Off:l.Off+size]))
	return Token{Kind: End, Off: l.Off}
}

// Peek returns the next token without consuming it.
func (l *Lexer) Peek() Token {
	off := l.Off
	t := l.Next()
	l.Off = off
	return t
}

// run reads a token made of the given characters.
func (l *Lexer) run(kind byte, of string) Token {
	start := l.Off
	for l.Off < len(l.data) && strings.IndexByte(of, l.data[l.Off]) >= 0 {
		l.Off++
	}
	return Token{kind, start, l.data[start:l.Off]}
}

// string reads a string.
func (l *Lexer) string() Token {
	start, escaped := l.Off, false
	i := start + 1
	for ; i < len(l.data) && l.data[i] != '"'; i++ {
		switch c := l.data[i]; {
		case c < ' ':
			l.Fail(i, "found %q in a string; want an escape such as %s", c, fmt.Sprintf(`\u%04x`, c))
			return Token{Kind: End, Off: i}
		case c == '\\':
			escaped = true
			i++
		}
	}
	if i >= len(l.data) {
		l.Fail(start, "found a string without end; want a quotation mark after it")
		return Token{Kind: End, Off: start}
	}
	l.Off = i + 1
	raw := l.data[start:l.Off]
	value := raw[1 : len(raw)-1]
	if escaped && (json.Unmarshal([]byte(raw), &value) != nil || halved(raw)) {
		l.Fail(start, "found the string %s with an unknown escape; want those of JSON", text.Quote(raw[1:len(raw)-1]))
		return Token{Kind: End, Off: start}
	}
	return Token{Str, start, value}
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
