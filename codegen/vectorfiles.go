package codegen

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/backend"
)

// vectorFiles returns the assembly file of the blocks that compute vectors, and the Go files with
// the methods that run it: on processors that can, and on others.
func (g *generator) vectorFiles() ([]File, error) {
	if len(g.vectors) == 0 {
		return nil, nil
	}
	text := &strings.Builder{}
	fmt.Fprintf(text, "%s\n\n//go:build amd64 && !purego\n\n#include \"textflag.h\"\n", header(g.sourceName()))
	amd64 := g.file()
	amd64.HeaderComment("//go:build amd64 && !purego")
	for _, a := range g.vectors {
		text.WriteString(a.Text())
		g.runVectors(&a)
	}
	other := g.file()
	other.HeaderComment("//go:build !amd64 || purego")
	for _, a := range g.vectors {
		g.fn(doc(a.Method+" reports that there is no assembly for the processor."), "(*Engine) "+a.Method+"() bool", "return false")
	}
	out := []File{{g.base + "_vectors_amd64.s", []byte(text.String())}}
	for _, f := range []struct {
		suffix string
		file   *backend.File
	}{{"_vectors_amd64.go", amd64}, {"_vectors_other.go", other}} {
		data, err := render(f.file)
		if err != nil {
			return nil, fmt.Errorf("the file %s%s does not parse: %w", g.base, f.suffix, err)
		}
		out = append(out, File{g.base + f.suffix, data})
	}
	return out, nil
}

// runVectors declares a function in assembly and the method that runs it.
func (g *generator) runVectors(a *backend.Assembly) {
	data := "nil"
	if len(g.mem.data) > 0 {
		data = "&e.data()[0]"
	}
	comment := a.Method + " runs the assembly of a block and reports true if the processor can."
	g.fn(doc(comment), "(e *Engine) "+a.Method+"() bool", a.Run(g.rt("HasAVX2")+"()", data))
	g.out.Comment("//go:noescape")
	fn := g.out.Func().Id(a.Func).Params(jen.List(jen.Id("s"), jen.Id("p")).Op("*").Float64())
	if a.Extreme != "" {
		fn.Bool()
	}
	g.out.Line()
}
