package backend

import (
	"bytes"
	"strings"

	"github.com/dave/jennifer/jen"
)

// File is a Go file that is being written. Text for the file asks it for the names of other
// packages, so that the file imports exactly the packages that the text uses.
type File struct {
	*jen.File
	runtime func(name string) *jen.Statement
	names   map[string]string // results of Std and Runtime
}

// NewFile begins a file. The function runtime returns an exported name of the runtime as the file
// writes it: qualified, or as the copy in the package declares it.
func NewFile(f *jen.File, runtime func(name string) *jen.Statement) *File {
	return &File{File: f, runtime: runtime, names: map[string]string{}}
}

// Std returns the name by which the file refers to a name of the standard library, and makes the
// file import its package: Std("math/bits.Len") is "bits.Len".
func (f *File) Std(name string) string {
	dot := strings.LastIndexByte(name, '.')
	return f.name(name, func() *jen.Statement { return jen.Qual(name[:dot], name[dot+1:]) })
}

// Runtime returns the name by which the file refers to an exported name of the runtime.
func (f *File) Runtime(name string) string {
	return f.name(name, func() *jen.Statement { return f.runtime(name) })
}

// name returns the text of a name, which it caches. A key without a dot is of the runtime.
// Rendering the code records the import.
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
