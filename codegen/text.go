package codegen

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
)

// quote makes a name of the model fit for a comment or a message: one line in quotes, control and invisible characters
// escaped, long names cut.
func quote(name string) string {
	const most = 80
	if runes := []rune(name); len(runes) > most {
		name = string(runes[:most]) + "..."
	}
	return strconv.Quote(name)
}

// plain is quote without the quotes, for text that holds names and has quotes of its own.
func plain(text string) string {
	q := quote(text)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}

// doc makes a doc comment of lines, which hold names only as quote gives them. Sentences are laid out as they come: a line
// for each element, with an empty element between paragraphs.
func doc(lines ...string) *jen.Statement {
	for i, l := range lines {
		lines[i] = strings.TrimRight("// "+l, " ")
	}
	return jen.Comment(strings.Join(lines, "\n"))
}

// packages are the ones that the text of generated functions may name.
var packages = map[string]string{
	"binary": "encoding/binary", "bits": "math/bits", "context": "context", "errors": "errors", "iter": "iter", "math": "math",
	"strconv": "strconv", "strings": "strings", "sync": "sync",
}

// qualified finds what code turns into an imported name; "rt" stands for the runtime.
var qualified = regexp.MustCompile(`(^|[^\w.])(binary|bits|context|errors|iter|math|rt|strconv|strings|sync)\.([A-Z]\w*)`)

// code makes Go text into something that can be added to a file, with the imports that it needs. The text must hold nothing of the
// model but identifiers.
func (g *generator) code(format string, args ...any) jen.Code {
	text := fmt.Sprintf(format, args...)
	out := &jen.Statement{}
	for {
		at := qualified.FindStringSubmatchIndex(text)
		if at == nil {
			return out.Id(text)
		}
		out.Id(text[:at[4]])
		pkg, name := text[at[4]:at[5]], text[at[6]:at[7]]
		if pkg == "rt" {
			out.Add(g.rt.use(name))
		} else {
			out.Qual(packages[pkg], name)
		}
		text = text[at[7]:]
	}
}

// fn adds a function with a doc comment: its header after "func", and its body.
func (g *generator) fn(f *jen.File, comment *jen.Statement, header, body string) {
	f.Add(comment)
	f.Func().Add(g.code("%s", header)).Block(g.code("%s", strings.Trim(body, "\n")))
	f.Line()
}
