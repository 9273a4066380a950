package ir

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// scanner reads the words of one line of a program's text form. After its first error it gives empty words and zeros.
type scanner struct {
	text   string
	pos    int
	line   int
	list   *diag.List
	failed bool
}

// fail reports an error at byte at of the line, unless the line has one.
func (s *scanner) fail(at int, format string, args ...any) {
	if !s.failed {
		s.list.Errorf(diag.Pos{Line: s.line, Col: at + 1}, format, args...)
	}
	s.failed, s.pos = true, len(s.text)
}

// next gives the next token and where it starts: a quoted string, one of []()=, or what stands between those and spaces;
// an empty one at the end of the line.
func (s *scanner) next() (token string, at int) {
	for s.pos < len(s.text) && isBlank(s.text[s.pos]) {
		s.pos++
	}
	at = s.pos
	rest := s.text[at:]
	switch {
	case rest == "":
		return "", at
	case rest[0] == '"':
		q, err := strconv.QuotedPrefix(rest)
		if err != nil {
			s.fail(at, "name without its closing quote")
			return "", at
		}
		s.pos += len(q)
		return q, at
	case strings.IndexByte("[]()=", rest[0]) >= 0:
		s.pos++
		return rest[:1], at
	}
	end := strings.IndexAny(rest, " \t\r[]()=\"")
	if end < 0 {
		end = len(rest)
	}
	s.pos += end
	return rest[:end], at
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// peek gives the next token without taking it.
func (s *scanner) peek() string {
	pos, failed := s.pos, s.failed
	token, _ := s.next()
	if s.failed == failed {
		s.pos = pos
	}
	return token
}

// take takes the next token where it is the wanted one, and reports whether it was.
func (s *scanner) take(want string) bool {
	if s.peek() != want || s.failed {
		return false
	}
	s.next()
	return true
}

// expect takes the wanted token.
func (s *scanner) expect(want string) {
	if token, at := s.next(); token != want {
		s.fail(at, "found %q; want %q", token, want)
	}
}

// end expects the end of the line.
func (s *scanner) end() {
	if token, at := s.next(); token != "" {
		s.fail(at, "found %q; want the end of the line", token)
	}
}

// name takes a quoted string.
func (s *scanner) name() string {
	token, at := s.next()
	if !strings.HasPrefix(token, `"`) {
		s.fail(at, "found %q; want a quoted name", token)
		return ""
	}
	name, err := strconv.Unquote(token)
	if err != nil {
		s.fail(at, "%s is no quoted name", token)
	}
	return name
}

// word takes one of words and gives its index.
func (s *scanner) word(words []string) int {
	token, at := s.next()
	i := slices.Index(words, token)
	if i < 0 {
		s.fail(at, "found %q; want one of %s", token, strings.Join(words, ", "))
		return 0
	}
	return i
}

// int takes an integer after a prefix, such as the 12 of s12.
func (s *scanner) int(prefix string) int {
	token, at := s.next()
	return s.atoi(token, at, prefix)
}

func (s *scanner) atoi(token string, at int, prefix string) int {
	digits, ok := strings.CutPrefix(token, prefix)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil {
		s.fail(at, "found %q; want an integer after %q", token, prefix)
	}
	return n
}

// float takes a number.
func (s *scanner) float() float64 {
	token, at := s.next()
	x, err := strconv.ParseFloat(token, 64)
	if err != nil {
		s.fail(at, "found %q; want a number", token)
	}
	return x
}

// brackets takes [ items ], each by item.
func (s *scanner) brackets(item func()) {
	s.expect("[")
	s.until("]", item)
}

// until takes items until closing, and that.
func (s *scanner) until(closing string, item func()) {
	for !s.failed && !s.take(closing) {
		item()
	}
}

// ids takes [ integers ], each after a prefix.
func ids[T ~int](s *scanner, prefix string) (out []T) {
	s.brackets(func() { out = append(out, T(s.int(prefix))) })
	return out
}
