package codegen

import (
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
)

// quote makes a name of the model fit for a comment or a message: one line in quotes, control and
// invisible characters escaped, long names cut.
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

// doc makes a doc comment of lines, which hold names only as quote gives them. Sentences are laid
// out as they come: a line for each element, with an empty element between paragraphs.
func doc(lines ...string) *jen.Statement {
	for i, l := range lines {
		lines[i] = strings.TrimRight("// "+l, " ")
	}
	return jen.Comment(strings.Join(lines, "\n"))
}

// std gives the name by which the file at hand reaches something of the standard library, as in
// std("math.Log").
func (g *generator) std(name string) string { return g.out.Std(name) }

// rt gives the name by which the file at hand reaches an exported name of the runtime.
func (g *generator) rt(name string) string { return g.out.Runtime(name) }

// fn adds a function with a doc comment: its header after "func", and its body. Both are Go text,
// in which names of other packages are as std and rt give them.
func (g *generator) fn(comment *jen.Statement, header, body string) {
	g.out.Add(comment)
	g.out.Func().Id(header).Block(jen.Id(strings.Trim(body, "\n")))
	g.out.Line()
}
