package codegen

import (
	"fmt"
	"go/format"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
)

// The build constraints of the files with assembly, and of those with what runs in its place.
const (
	amd64Build = "//go:build amd64 && !purego"
	otherBuild = "//go:build !amd64 || purego"
)

// processorFiles returns the copy of the runtime and the files that depend on the processor: one of
// assembly, one of the Go functions that run it, and one of what runs in its place on other
// processors. Each has the package's own code, and after it the runtime's.
func (g *generator) processorFiles() ([]File, error) {
	text := &strings.Builder{}
	amd64 := g.Begin()
	amd64.HeaderComment(amd64Build)
	g.sequences.Assembly(text)
	g.vectorAssembly(text)
	g.tileAssembly(text)
	own := text.Len() > 0
	other := g.Begin()
	other.HeaderComment(otherBuild)
	g.sequences.Elsewhere()
	g.vectorsElsewhere()
	g.tilesElsewhere()
	runtime, err := g.Runtime.Copy()
	if err != nil {
		return nil, err
	}
	var out []File
	if text.WriteString(runtime.Assembly.Text.String()); text.Len() > 0 {
		head := fmt.Sprintf("%s\n\n%s\n\n%s", g.Header(), amd64Build, source.IncludeFlags)
		out = append(out, File{Name: g.Base() + "_amd64.s", Data: []byte(head + text.String())})
	}
	for _, f := range []struct {
		suffix string
		file   *backend.File
		copied *source.Copied
	}{{"_amd64.go", amd64, &runtime.Amd64}, {"_other.go", other, &runtime.Other}} {
		if !own && f.copied.Text.Len() == 0 {
			continue
		}
		data, err := source.Render(f.file)
		if err == nil {
			data, err = format.Source(append(data, f.copied.Text.String()...))
		}
		if err != nil {
			return nil, fmt.Errorf("the file %s%s does not parse: %w", g.Base(), f.suffix, err)
		}
		out = append(out, File{Name: g.Base() + f.suffix, Data: data})
	}
	if runtime.All.Text.Len() > 0 {
		data, err := runtime.All.File(g.Package)
		if err != nil {
			return nil, fmt.Errorf("the file %s: %w", runtimeName, err)
		}
		out = append(out, File{Name: runtimeName, Data: data})
	}
	return out, nil
}

// runtimeName is the name of the file with the parts of the runtime that do not depend on the
// processor.
const runtimeName = "pgmrt.go"
