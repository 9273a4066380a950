package backend

import (
	"bytes"
	"strings"

	"github.com/dave/jennifer/jen"
)

// File is a Go file that is being written. Text that becomes a part of it asks it for the names of
// other packages, so that it imports what its text uses.
type File struct {
	*jen.File
	runtime func(name string) *jen.Statement
	names   map[string]string // what Std and Runtime gave before
}

// NewFile begins a file. The function runtime gives an exported name of the runtime as the file
// writes it: qualified, or as the copy in the package declares it.
func NewFile(f *jen.File, runtime func(name string) *jen.Statement) *File {
	return &File{File: f, runtime: runtime, names: map[string]string{}}
}

// Std gives the name by which the file reaches a name of the standard library, and has the file
// import its package: Std("math/bits.Len") is "bits.Len".
func (f *File) Std(name string) string {
	dot := strings.LastIndexByte(name, '.')
	return f.name(name, func() *jen.Statement { return jen.Qual(name[:dot], name[dot+1:]) })
}

// Runtime gives the name by which the file reaches an exported name of the runtime.
func (f *File) Runtime(name string) string {
	return f.name(name, func() *jen.Statement { return f.runtime(name) })
}

// name gives the text of a name, once found; an unqualified key is of the runtime. Rendering it is
// what notes the import.
func (f *File) name(key string, code func() *jen.Statement) string {
	text, ok := f.names[key]
	if !ok {
		var b bytes.Buffer
		if err := code().RenderWithFile(&b, f.File); err != nil {
			panic("backend: " + key + " is no name: " + err.Error())
		}
		text = b.String()
		f.names[key] = text
	}
	return text
}
