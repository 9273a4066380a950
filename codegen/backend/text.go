package backend

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
)

// Code makes Go text, any number of lines, a part of the file. Names of package math and of the runtime are written in
// it as `math.F` and `pgmrt.F`. Nothing else in the text may spell `math.` or `pgmrt.`, comments included: see [Comment].
func (o *Output) Code(text string) jen.Code {
	text = strings.TrimSuffix(text, "\n")
	b := &strings.Builder{}
	for {
		i, name, after := o.nextQualified(text)
		if i < 0 {
			b.WriteString(text)
			return jen.Id(b.String())
		}
		n := 0
		for n < len(after) && isLetter(after[n]) {
			n++
		}
		b.WriteString(text[:i] + name(after[:n]))
		text = after[n:]
	}
}

// nextQualified finds the first qualified name of text: where it begins, what gives its name, and the text after the dot.
func (o *Output) nextQualified(text string) (at int, name func(string) string, after string) {
	at = -1
	std := func(id string) string { return o.Std("math." + id) }
	for _, q := range []struct {
		prefix string
		name   func(string) string
	}{{"math.", std}, {"pgmrt.", o.Runtime}} {
		if i := strings.Index(text, q.prefix); i >= 0 && (at < 0 || i < at) {
			at, name, after = i, q.name, text[i+len(q.prefix):]
		}
	}
	return at, name, after
}

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// Comment makes a line comment of text that came from a model: one line whatever it holds, never a directive, and
// nothing that [Output.Code] would take for a call. A long one is cut.
func Comment(text string) string {
	const most = 400
	b := &strings.Builder{}
	b.WriteString("// ")
	for i, r := range text {
		if i >= most {
			return b.String() + "\u2026" // an ellipsis
		}
		switch {
		case r == '.':
			b.WriteRune('\u2024') // one dot leader: looks the same
		case !unicode.IsPrint(r) || r == utf8.RuneError:
			b.WriteByte('?') // breaks a line, is not allowed in source, turns the direction of reading, or does not show
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
