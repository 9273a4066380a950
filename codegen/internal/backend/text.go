package backend

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/ir"
)

// Code returns Go text, of any number of lines, as a part of a file. [Output.Std] and
// [Output.Runtime] supply the names of other packages in it.
//
// Blocks are text and not a tree of jennifer's, because they run to a hundred thousand statements.
// For 100,000 pairs of a sum of two products and a store, about a block of munin2, text took 0.1 s
// of CPU time and 76 MB, and a tree 1.6 s and 348 MB, without gofmt.
func Code(text string) jen.Code { return jen.Id(strings.TrimSuffix(text, "\n")) }

// Comment returns a line comment of text that may contain names of a model. It is one line for any
// text, and never a directive. Long text is cut.
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
			b.WriteByte('?') // breaks a line, is not allowed in source, changes the direction of reading, or is invisible
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// mostCaptions is the most spans of a program with code that names the tables that it computes.
// Nobody reads munin3's in 90,000 lines, and they were a sixteenth of its package.
const mostCaptions = 5000

// Caption returns a line with a comment that names a span, or nothing in a large program.
func Caption(p *ir.Program, id ir.SpanID) string {
	if len(p.Spans) > mostCaptions {
		return ""
	}
	return Comment(p.Spans[id].Name) + "\n"
}
