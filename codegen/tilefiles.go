package codegen

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/backend"
)

// tileFiles returns the assembly file of the functions that blocks share, and the Go files with the
// functions that run it: on processors that can, and on others.
func (g *generator) tileFiles() ([]File, error) {
	if len(g.tiles.List) == 0 {
		return nil, nil
	}
	text := &strings.Builder{}
	fmt.Fprintf(text, "%s\n\n//go:build amd64 && !purego\n\n#include \"textflag.h\"\n", header(g.sourceName()))
	amd64 := g.file()
	amd64.HeaderComment("//go:build amd64 && !purego")
	can := g.rt("HasAVX2") + "()"
	for _, f := range g.tiles.List {
		text.WriteString(f.Text())
		amd64.Add(backend.Code(f.Run(can)))
		amd64.Line()
		amd64.Add(backend.Code(f.Declaration()))
		amd64.Line()
	}
	other := g.file()
	other.HeaderComment("//go:build !amd64 || purego")
	for _, f := range g.tiles.List {
		other.Add(backend.Code(f.Stub()))
		other.Line()
	}
	out := []File{{g.base + "_tiles_amd64.s", []byte(text.String())}}
	for _, f := range []struct {
		suffix string
		file   *backend.File
	}{{"_tiles_amd64.go", amd64}, {"_tiles_other.go", other}} {
		data, err := render(f.file)
		if err != nil {
			return nil, fmt.Errorf("the file %s%s does not parse: %w", g.base, f.suffix, err)
		}
		out = append(out, File{g.base + f.suffix, data})
	}
	return out, nil
}
