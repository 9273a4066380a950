// Package names turns the names of a model into Go identifiers by a fixed rule, and keeps
// identifiers distinct.
//
// [Camel] splits a name into words and writes them in camel case. Letters with accents and Greek
// and Cyrillic letters become ASCII, other letters their code point (U4E2D), and signs become words
// (12+ is 12Plus, <7.5 is LT7p5). All other characters separate words. [Scope] numbers names that
// would collide, in the order of the calls, so that a name depends only on the names before it.
//
// The names of a model are untrusted input: for any contents, the result consists of ASCII letters,
// digits and underscores.
package names

import (
	"go/token"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLen is the length after which no more of a name is added to an identifier, so that a very long
// name gives readable code.
const maxLen = 48

// Camel returns name in camel case, beginning with a capital. The result may be empty or begin with
// a digit; see [Exported].
func Camel(name string) string {
	c := camel{runes: []rune(name), start: true}
	for c.pos < len(c.runes) && c.out.Len() < maxLen {
		c.next()
	}
	return c.out.String()
}

// Exported returns an exported Go identifier made from Camel(name). If that does not begin with a
// capital letter, prefix, which must, goes before it. If it is empty, Exported returns empty.
func Exported(name, prefix, empty string) string {
	s := Camel(name)
	switch {
	case s == "":
		return empty
	case s[0] < 'A' || s[0] > 'Z':
		return prefix + s
	}
	return s
}

// IsExported reports whether a user may choose s as an identifier: it is ASCII, valid and exported.
func IsExported(s string) bool {
	return isASCII(s) && token.IsIdentifier(s) && token.IsExported(s)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// camel is the state of Camel.
type camel struct {
	runes []rune
	pos   int
	out   strings.Builder
	start bool // a word begins: the next letter is a capital
}

func (c *camel) next() {
	r := c.runes[c.pos]
	switch {
	case r < utf8.RuneSelf && (isLetter(r) || isDigit(r)):
		c.plain(string(r))
	case r < utf8.RuneSelf || signs[r] != "":
		c.sign(r)
	case unicode.Is(unicode.Mn, r) || r == utf8.RuneError:
		// a mark on the letter before it, or a byte that is not UTF-8
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		c.foreign(r)
	default:
		c.start = true
	}
	c.pos++
}

// plain writes ASCII letters or one digit. An underscore separates two numbers that only a
// separator kept apart.
func (c *camel) plain(s string) {
	if c.start {
		if isDigit(rune(s[0])) && c.afterDigit() {
			c.out.WriteByte('_')
		}
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	c.out.WriteString(s)
	c.start = false
}

// foreign writes a letter outside ASCII: transliterated, or its code point as a word of its own.
func (c *camel) foreign(r rune) {
	lower := unicode.ToLower(r)
	s, ok := translit[lower]
	if !ok {
		c.word("U" + strings.ToUpper(strconv.FormatInt(int64(r), 16)))
		return
	}
	if lower != r && s != "" {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	if s != "" {
		c.plain(s)
	}
}

// word writes a word, after which another begins.
func (c *camel) word(w string) {
	c.out.WriteString(w)
	c.start = true
}

// sign writes a sign as a word if it carries meaning. Other signs separate words.
func (c *camel) sign(r rune) {
	digits := isDigit(c.at(c.pos-1)) && isDigit(c.at(c.pos+1))
	switch {
	case r == '.' && digits:
		c.out.WriteByte('p')
	case r == '-' && digits:
		c.word("To")
	case r == '/' && digits:
		c.word("Over")
	case r == '-' && (c.pos == len(c.runes)-1 || !isWord(c.at(c.pos-1)) && isDigit(c.at(c.pos+1))):
		c.word("Minus")
	case (r == '<' || r == '>' || r == '!') && c.at(c.pos+1) == '=':
		c.word(map[rune]string{'<': "LE", '>': "GE", '!': "NE"}[r])
		c.pos++
	case signs[r] != "":
		c.word(signs[r])
	default:
		c.start = true
	}
}

// signs holds the signs that are always words.
var signs = map[rune]string{
	'+': "Plus", '<': "LT", '>': "GT", '=': "Eq", '%': "Pct", '&': "And", '!': "Not",
	'≤': "LE", '≥': "GE", '≠': "NE", '±': "PlusMinus", '−': "Minus",
}

// at returns the character at i, or -1.
func (c *camel) at(i int) rune {
	if i < 0 || i >= len(c.runes) {
		return -1
	}
	return c.runes[i]
}

func (c *camel) afterDigit() bool {
	s := c.out.String()
	return s != "" && isDigit(rune(s[len(s)-1]))
}

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }
func isDigit(r rune) bool  { return '0' <= r && r <= '9' }
func isWord(r rune) bool   { return isDigit(r) || unicode.IsLetter(r) }
