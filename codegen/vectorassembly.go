package codegen

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
)

// vectorAssembly writes the assembly of the blocks that compute vectors to text, and the methods
// that run it.
func (g *generator) vectorAssembly(text *strings.Builder) {
	for _, a := range g.vectors {
		text.WriteString(a.Text())
		g.runVectors(&a)
	}
}

// vectorsElsewhere declares the methods that take the place of vectorAssembly on other processors.
func (g *generator) vectorsElsewhere() {
	for _, a := range g.vectors {
		g.Func(source.Doc(a.Method+" reports that there is no assembly for the processor."), "(*Engine) "+a.Method+"() bool", "return false")
	}
}

// runVectors declares a function in assembly and the method that runs it.
func (g *generator) runVectors(a *backend.Assembly) {
	data := "nil"
	if len(g.mem.Data) > 0 {
		data = "&e.data()[0]"
	}
	comment := a.Method + " runs the assembly of a block and reports true if the processor can."
	g.Func(source.Doc(comment), "(e *Engine) "+a.Method+"() bool", a.Run(g.RT("HasAVX2")+"()", data))
	g.Out.Comment("//go:noescape")
	fn := g.Out.Func().Id(a.Func).Params(jen.List(jen.Id("s"), jen.Id("p")).Op("*").Float64())
	if a.Extreme != "" {
		fn.Bool()
	}
	g.Out.Line()
}

// tileAssembly writes the assembly of the functions that blocks share to text, and the functions
// that run it.
func (g *generator) tileAssembly(text *strings.Builder) {
	if len(g.tiles.List) == 0 {
		return
	}
	can := g.RT("HasAVX2") + "()"
	for _, f := range g.tiles.List {
		text.WriteString(f.Text())
		g.Out.Add(backend.Code(f.Run(can)))
		g.Out.Line()
		g.Out.Add(backend.Code(f.Declaration()))
		g.Out.Line()
	}
}

// tilesElsewhere declares the functions that take the place of tileAssembly on other processors.
func (g *generator) tilesElsewhere() {
	for _, f := range g.tiles.List {
		g.Out.Add(backend.Code(f.Stub()))
		g.Out.Line()
	}
}
