package source

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
)

// Quote returns a name of the model in a form that is safe in a comment or a message: on one line,
// in quotes, with control and invisible characters escaped, and cut after 80 letters.
func Quote(name string) string {
	const most = 80
	if runes := []rune(name); len(runes) > most {
		name = string(runes[:most]) + "..."
	}
	return strconv.Quote(name)
}

// Plain is quote without the quotes, for text that contains names and has quotes of its own.
func Plain(text string) string {
	q := Quote(text)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}

// Indexes reports whether Go code has an index or a slice expression of the variable called name.
// It ignores fields, and longer names that end in name.
func Indexes(code, name string) bool {
	for {
		i := strings.Index(code, name+"[")
		if i < 0 {
			return false
		}
		r, _ := utf8.DecodeLastRuneInString(code[:i])
		if i == 0 || r != '.' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return true
		}
		code = code[i+len(name):]
	}
}

// Doc returns the text as a doc comment, laid out by wrap. It may contain names of the model only
// as quote returns them.
func Doc(text ...string) *jen.Statement { return jen.Comment(strings.Join(Wrap(text...), "\n")) }

// Wrap returns the text as lines of a comment, of at most 100 columns unless a word is longer. The
// elements of a paragraph are joined by spaces. An empty element separates paragraphs, and an
// element that begins with a space or a tab is a line of its own, such as an item of a list, or
// code.
func Wrap(text ...string) (lines []string) {
	const columns = 100
	open := false // the last line takes more words
	for _, t := range text {
		if t == "" || t[0] == ' ' {
			lines, open = append(lines, strings.TrimRight("// "+t, " ")), false
			continue
		}
		if t[0] == '\t' {
			lines, open = append(lines, "//"+t), false
			continue
		}
		for _, w := range words(t) {
			last := len(lines) - 1
			if open && utf8.RuneCountInString(lines[last])+1+utf8.RuneCountInString(w) <= columns {
				lines[last] += " " + w
			} else {
				lines, open = append(lines, "// "+w), true
			}
		}
	}
	return lines
}

// words splits text at the spaces outside of quotes, so that a quoted name stays on one line.
func words(text string) (list []string) {
	quoted, escaped, start := false, false, 0
	for i := range len(text) {
		switch c := text[i]; {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			quoted = !quoted
		case c == ' ' && !quoted:
			if start < i {
				list = append(list, text[start:i])
			}
			start = i + 1
		}
	}
	if start < len(text) {
		list = append(list, text[start:])
	}
	return list
}

// Count returns a number with its noun, in the plural unless n is 1.
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
