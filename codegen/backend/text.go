package backend

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
)

// Code turns Go text, any number of lines, into jennifer's form. Functions of package math and of the runtime are
// written in it as `math.F` and `pgmrt.F`; the file gets the imports that they need. Nothing else in the text may
// spell `math.` or `pgmrt.`, comments included: see [Comment].
func (o *Output) Code(text string) jen.Code {
	code := &jen.Statement{}
	text = strings.TrimSuffix(text, "\n")
	for {
		i, path, after := nextQualified(text, o.Runtime)
		if i < 0 {
			return code.Id(text)
		}
		n := 0
		for n < len(after) && isLetter(after[n]) {
			n++
		}
		code.Id(text[:i]).Qual(path, after[:n])
		text = after[n:]
	}
}

// nextQualified finds the first qualified name of text: where it begins, the import path, and the text after the dot.
func nextQualified(text, runtime string) (at int, path, after string) {
	at = -1
	for _, q := range [...][2]string{{"math.", "math"}, {"pgmrt.", runtime}} {
		if i := strings.Index(text, q[0]); i >= 0 && (at < 0 || i < at) {
			at, path, after = i, q[1], text[i+len(q[0]):]
		}
	}
	return at, path, after
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
