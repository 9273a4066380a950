package source

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
)

// Blocks is the assembly of blocks.
type Blocks struct {
	*Writer
	Vectors []backend.Assembly // of the blocks that compute vectors
	Tiles   backend.Tiles      // of the blocks that are loop nests
	Data    bool               // data memory has numbers
}

// Assembly writes the assembly of the blocks to text, and the functions that run it.
func (g *Blocks) Assembly(text *strings.Builder) {
	for _, a := range g.Vectors {
		text.WriteString(a.Text())
		g.runVectors(&a)
	}
	g.tileAssembly(text)
}

// Elsewhere declares the functions that take the place of Assembly on other processors.
func (g *Blocks) Elsewhere() {
	for _, a := range g.Vectors {
		g.Func(Doc(a.Method+" reports that there is no assembly for the processor."), "(*Engine) "+a.Method+"() bool", "return false")
	}
	for _, f := range g.Tiles.List {
		g.Out.Add(backend.Code(f.Stub()))
		g.Out.Line()
	}
}

// runVectors declares a function in assembly and the method that runs it.
func (g *Blocks) runVectors(a *backend.Assembly) {
	data := "nil"
	if g.Data {
		data = "&e.data()[0]"
	}
	comment := a.Method + " runs the assembly of a block and reports true if the processor can."
	g.Func(Doc(comment), "(e *Engine) "+a.Method+"() bool", a.Run(g.RT("HasAVX2")+"()", data))
	g.Out.Comment("//go:noescape")
	fn := g.Out.Func().Id(a.Func).Params(jen.List(jen.Id("s"), jen.Id("p")).Op("*").Float64())
	if a.Extreme != "" {
		fn.Bool()
	}
	g.Out.Line()
}

// tileAssembly writes the assembly of the functions that blocks share to text, and the functions
// that run it.
func (g *Blocks) tileAssembly(text *strings.Builder) {
	if len(g.Tiles.List) == 0 {
		return
	}
	can := g.RT("HasAVX2") + "()"
	for _, f := range g.Tiles.List {
		text.WriteString(f.Text())
		g.Out.Add(backend.Code(f.Run(can)))
		g.Out.Line()
		g.Out.Add(backend.Code(f.Declaration()))
		g.Out.Line()
	}
}
