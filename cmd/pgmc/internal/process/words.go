package process

import (
	"strconv"
	"strings"
)

// Words splits a command as the go command splits the line of a go:generate comment: at blanks, and
// a word in double quotes is a Go text.
func Words(text string) (words []string) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		word, rest, _ := strings.Cut(text, " ")
		if q, err := strconv.QuotedPrefix(text); err == nil && text[0] == '"' {
			word, rest = q[1:len(q)-1], text[len(q):]
			if u, err := strconv.Unquote(q); err == nil {
				word = u
			}
		}
		words, text = append(words, word), rest
	}
	return words
}
