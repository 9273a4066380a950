package source

import (
	"fmt"
	"go/format"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
)

// The build constraints of the files with assembly, and of those with what runs in its place.
const (
	amd64Build = goBuild + " && amd64 && !purego"
	otherBuild = goBuild + " && (!amd64 || purego)"
)

// Assembled is code of a package that has assembly.
type Assembled interface {
	Assembly(text *strings.Builder) // writes the assembly to text, and declares the functions that run it
	Elsewhere()                     // declares the functions that take the place of Assembly on other processors
}

// ProcessorFiles returns the copy of the runtime and the files that depend on the processor: one of
// assembly, one of the Go functions that run it, and one of what runs in its place on other
// processors. Each has the package's own code, and after it the runtime's. The other files of the
// package are finished.
func (w *Writer) ProcessorFiles(files []File, own ...Assembled) ([]File, error) {
	text := &strings.Builder{}
	amd64 := w.begin([]string{amd64Build})
	for _, x := range own {
		x.Assembly(text)
	}
	assembled := text.Len() > 0
	other := w.begin([]string{otherBuild})
	for _, x := range own {
		x.Elsewhere()
	}
	runtime, err := w.Runtime.Copy(files)
	if err != nil {
		return nil, err
	}
	var out []File
	if text.WriteString(runtime.Assembly.Text.String()); text.Len() > 0 {
		head := fmt.Sprintf("%s\n\n%s\n\n%s", w.Header(), amd64Build, IncludeFlags)
		out = append(out, File{Name: w.Base() + "_amd64.s", Data: []byte(head + text.String())})
	}
	for _, f := range []struct {
		suffix string
		file   *backend.File
		copied *Copied
	}{{"_amd64.go", amd64, &runtime.Amd64}, {"_other.go", other, &runtime.Other}} {
		if !assembled && f.copied.Text.Len() == 0 {
			continue
		}
		data, err := Render(f.file)
		if err == nil {
			data, err = format.Source(append(data, f.copied.Text.String()...))
		}
		if err != nil {
			return nil, fmt.Errorf("the file %s%s does not parse: %w", w.Base(), f.suffix, err)
		}
		out = append(out, File{Name: w.Base() + f.suffix, Data: data})
	}
	if runtime.All.Text.Len() > 0 {
		data, err := runtime.All.File(w.Package)
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
