package source

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strings"
	"sync"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// qualifier is the name by which other packages of the runtime refer to it.
const qualifier = "pgmrt"

// runtimeFiles holds the files of the runtime that packages copy, and the file of each name that is
// declared at the top level.
type runtimeFiles struct {
	fset   *token.FileSet
	files  []*runtimeFile
	byName map[string]*runtimeFile
}

// runtimeFile is a Go file of the runtime, with the assembly of its functions without a body.
type runtimeFile struct {
	name     string
	src      []byte
	parsed   *ast.File
	members  map[int]bool // the offsets of the names that it gives to methods and fields
	decls    []*runtimeDecl
	bodiless []string // names of functions without a body
	assembly []byte
}

// runtimeDecl is a declaration at the top level of a file.
type runtimeDecl struct {
	ast.Decl
	file *runtimeFile
}

// parseRuntime parses the files of the runtime, once.
var parseRuntime = sync.OnceValues(func() (*runtimeFiles, error) {
	r := &runtimeFiles{fset: token.NewFileSet(), byName: map[string]*runtimeFile{}}
	err := fs.WalkDir(pgmrt.Source, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") {
			return err
		}
		src, err := pgmrt.Source.ReadFile(name)
		if err != nil {
			return err
		}
		return r.add(name, src)
	})
	return r, err
})

// add parses one file.
func (r *runtimeFiles) add(name string, src []byte) (err error) {
	f := &runtimeFile{name: name, src: src, members: map[int]bool{}}
	if f.parsed, err = parser.ParseFile(r.fset, name, src, parser.ParseComments|parser.SkipObjectResolution); err != nil {
		return err
	}
	f.assembly, _ = pgmrt.Source.ReadFile(strings.TrimSuffix(name, ".go") + ".s") // most files have none
	for _, id := range members(f.parsed) {
		f.members[f.offset(id.Pos())] = true
	}
	for _, decl := range f.parsed.Decls {
		d := &runtimeDecl{decl, f}
		f.decls = append(f.decls, d)
		for _, id := range declared(decl) {
			r.byName[id.Name] = f
		}
		if d.bodiless() {
			f.bodiless = append(f.bodiless, decl.(*ast.FuncDecl).Name.Name)
		}
	}
	r.files = append(r.files, f)
	return nil
}

// offset returns the place of a position in the source.
func (f *runtimeFile) offset(pos token.Pos) int { return int(pos - f.parsed.FileStart) }

// bodiless reports whether a declaration is a function in assembly.
func (d *runtimeDecl) bodiless() bool {
	fn, ok := d.Decl.(*ast.FuncDecl)
	return ok && fn.Body == nil
}

// importPath returns the import path of the package of the runtime that exports a name.
func importPath(name string) string {
	if r, err := parseRuntime(); err == nil && r.byName[name] != nil {
		return path.Join(runtimePath, path.Dir(r.byName[name].name))
	}
	return runtimePath
}

// isName reports whether the runtime exports a name.
func (r *runtimeFiles) isName(name string) bool {
	return token.IsExported(name) && r.byName[name] != nil
}

// imports returns the imports that a declaration uses, as import declarations write them.
func (d *runtimeDecl) imports() (paths []string) {
	ast.Inspect(d.Decl, func(n ast.Node) bool {
		if n, ok := n.(*ast.SelectorExpr); ok {
			for _, i := range d.file.parsed.Imports {
				if x, ok := n.X.(*ast.Ident); ok && i.Name == nil && strings.HasSuffix("/"+strings.Trim(i.Path.Value, `"`), "/"+x.Name) {
					paths = append(paths, i.Path.Value)
				}
			}
		}
		return true
	})
	return paths
}

// span returns the place of a declaration in its file, with the comments before it and on its last
// line.
func (d *runtimeDecl) span() (from, to int) {
	start := d.Pos()
	switch n := d.Decl.(type) {
	case *ast.FuncDecl:
		if n.Doc != nil {
			start = n.Doc.Pos()
		}
	case *ast.GenDecl:
		if n.Doc != nil {
			start = n.Doc.Pos()
		}
	}
	from, to = d.file.offset(start), d.file.offset(d.End())
	if end := bytes.IndexByte(d.file.src[to:], '\n'); end >= 0 {
		to += end
	}
	return from, to
}
