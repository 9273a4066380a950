package codegen

import (
	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
)

// The words of package source that the text of every answer uses.
var (
	quote = source.Quote
	plain = source.Plain
	wrap  = source.Wrap
	doc   = source.Doc
)

// The words of package api for the spans of a program.
var (
	slice = api.Slice
	out   = api.Out
)

// file begins a Go file with the header, and makes it the current one.
func (g *generator) file() *backend.File {
	g.out = g.Begin()
	return g.out
}

// std returns the name by which the current file refers to a name of the standard library, as in
// std("math.Log"). The file imports the package.
func (g *generator) std(name string) string { return g.out.Std(name) }

// rt returns the name by which the current file refers to an exported name of the runtime.
func (g *generator) rt(name string) string { return g.out.Runtime(name) }

// fn adds a function to the current file, as [source.Writer.Func] does.
func (g *generator) fn(comment *jen.Statement, header, body string) {
	g.Func(comment, header, body)
}
