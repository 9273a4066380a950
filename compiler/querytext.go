package compiler

import (
	"fmt"
	"strconv"
	"strings"
)

// word is a name or one of the signs of querySigns.
type word struct {
	text   string
	quoted bool
}

// is reports whether w is a sign.
func (w word) is(sign string) bool { return w.text == sign && !w.quoted }

func (w word) sign() bool {
	return !w.quoted && len(w.text) == 1 && strings.Contains(querySigns, w.text)
}

// The signs of queries, and all characters that end an unquoted name.
const (
	querySigns  = ",|()="
	queryBreaks = querySigns + " \t\n\""
)

// item is a name, a name with a value as in kmpe=5, or a name with names in parentheses.
type item struct {
	word
	value string // empty if there is none
	names []word // nil if there are no parentheses
}

// plain reports whether it is only a name.
func (it item) plain() bool { return it.value == "" && it.names == nil }

// String writes the item as error messages quote it.
func (it item) String() string {
	switch {
	case it.names != nil:
		return it.text + "(...)"
	case it.value != "":
		return it.text + "=" + it.value
	}
	return strconv.Quote(it.text)
}

// readItems reads items separated by commas.
func readItems(words []word) ([]item, error) {
	var out []item
	for {
		it, rest, err := readItem(words)
		if err != nil {
			return nil, err
		}
		out = append(out, it)
		if len(rest) == 0 {
			return out, nil
		}
		if !rest[0].is(",") {
			return nil, fmt.Errorf("found %q; want names separated by commas", rest[0].text)
		}
		words = rest[1:]
	}
}

func readItem(words []word) (it item, rest []word, err error) {
	if len(words) == 0 {
		return it, nil, fmt.Errorf("a name is missing")
	}
	if words[0].sign() {
		return it, nil, fmt.Errorf("found %q; want names separated by commas", words[0].text)
	}
	it.word, rest = words[0], words[1:]
	switch {
	case len(rest) == 0:
	case rest[0].is("="):
		if len(rest) < 2 || rest[1].sign() {
			return it, nil, fmt.Errorf("a number is missing after %s=", it.text)
		}
		it.value, rest = rest[1].text, rest[2:]
	case rest[0].is("("):
		end := closing(rest)
		if end < 0 {
			return it, nil, fmt.Errorf("the parenthesis after %s is not closed", it.text)
		}
		inside, err := readItems(rest[1:end])
		if err != nil {
			return it, nil, err
		}
		for _, x := range inside {
			if !x.plain() {
				return it, nil, fmt.Errorf("found %s inside %s(...); want names of variables", x, it.text)
			}
			it.names = append(it.names, x.word)
		}
		rest = rest[end+1:]
	}
	return it, rest, nil
}

// closing returns the index of the parenthesis that closes the one at words[0], or -1.
func closing(words []word) int {
	depth := 0
	for i, w := range words {
		if w.is("(") {
			depth++
		} else if w.is(")") {
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func indexWord(words []word, sign string) int {
	for i, w := range words {
		if w.is(sign) {
			return i
		}
	}
	return -1
}

// splitQuery splits s into names, quoted or not, and signs.
func splitQuery(s string) ([]word, error) {
	var out []word
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		switch {
		case s[0] == '"':
			q, err := strconv.QuotedPrefix(s)
			if err != nil {
				return nil, fmt.Errorf("a quoted name does not end: %s", s)
			}
			text, err := strconv.Unquote(q)
			if err != nil {
				return nil, err
			}
			out, s = append(out, word{text, true}), s[len(q):]
		case strings.Contains(querySigns, s[:1]):
			out, s = append(out, word{s[:1], false}), s[1:]
		default:
			n := strings.IndexAny(s, queryBreaks)
			if n < 0 {
				n = len(s)
			}
			out, s = append(out, word{s[:n], false}), s[n:]
		}
	}
	return out, nil
}
