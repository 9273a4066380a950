package backend

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
)

// Code makes Go text, any number of lines, a part of a file. Names of other packages are in it as
// [Output.Std] and [Output.Runtime] give them.
//
// Blocks are text and no tree of jennifer's, since they run to a hundred thousand statements:
// 100,000 pairs of a sum of two products and a store, about a block of munin2, took 0.1 s of CPU
// time and 76 MB as text, and 1.6 s and 348 MB as a tree, gofmt aside.
func Code(text string) jen.Code { return jen.Id(strings.TrimSuffix(text, "\n")) }

// Comment makes a line comment of text that came from a model: one line whatever it holds, and
// never a directive. A long one is cut.
func Comment(text string) string {
	const most = 400
	b := &strings.Builder{}
	b.WriteString("// ")
	for i, r := range text {
		if i >= most {
			return b.String() + "\u2026" // an ellipsis
		}
		switch {
		case !unicode.IsPrint(r) || r == utf8.RuneError:
			b.WriteByte('?') // breaks a line, is not allowed in source, turns the direction of reading, or does not show
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
