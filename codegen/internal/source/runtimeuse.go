package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// runtimePath is the import path of the runtime.
const runtimePath = "github.com/pgmc-go/pgmc/runtime"

// KeptNames holds the names of the runtime that are part of the API of every generated package.
var KeptNames = []string{"ErrImpossible", "ErrLikelihood", "ErrState", "NewRand", "Rand"}

// RuntimeUse records how a package refers to the runtime, and the names that it uses. A copy of the
// runtime keeps the names of the API. Its other exported names become unexported by the prefix rt.
type RuntimeUse struct {
	Imported bool
	API      []string
	used     []string
}

// use returns an exported name of the runtime as the package's own files write it, and records that
// they need it.
func (u *RuntimeUse) use(name string) *jen.Statement {
	if u.Imported {
		return jen.Qual(runtimePath, name)
	}
	u.Keep(name)
	return jen.Id(u.copiedName(name))
}

// Keep records a name that a copy must declare, whether or not other files use it.
func (u *RuntimeUse) Keep(name string) {
	if !slices.Contains(u.used, name) {
		u.used = append(u.used, name)
	}
}

// copiedName returns the name that an exported name of the runtime has in a copy.
func (u *RuntimeUse) copiedName(name string) string {
	if slices.Contains(u.API, name) {
		return name
	}
	return "rt" + name
}

// Copy returns a copy of the parts of the runtime that the package needs.
func (u *RuntimeUse) Copy() (*RuntimeCopy, error) {
	out := &RuntimeCopy{}
	if u.Imported {
		return out, nil
	}
	list, err := pgmrt.Files(u.used...)
	if err != nil {
		return nil, err
	}
	isName, err := exportedNames()
	if err != nil {
		return nil, err
	}
	for _, name := range list {
		src, err := pgmrt.Source.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if err := out.of(name).add(name, src, func(id string) string {
			if isName[id] {
				return u.copiedName(id)
			}
			return id
		}); err != nil {
			return nil, fmt.Errorf("runtime file %s: %w", name, err)
		}
	}
	return out, nil
}

// isAssembly reports whether a file of the runtime is written in assembly. Such files contain no
// exported names.
func isAssembly(name string) bool { return strings.HasSuffix(name, ".s") }

// exportedNames returns the set of exported names that the runtime's files declare.
func exportedNames() (map[string]bool, error) {
	entries, err := pgmrt.Source.ReadDir(".")
	if err != nil {
		return nil, err
	}
	set := map[string]bool{}
	for _, entry := range entries {
		if isAssembly(entry.Name()) {
			continue
		}
		src, err := pgmrt.Source.ReadFile(entry.Name())
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(token.NewFileSet(), entry.Name(), src, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, decl := range f.Decls {
			for _, id := range declared(decl) {
				if id.IsExported() {
					set[id.Name] = true
				}
			}
		}
	}
	return set, nil
}

// declared returns the names that a declaration adds to its package.
func declared(decl ast.Decl) (ids []*ast.Ident) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			ids = append(ids, d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				ids = append(ids, s.Name)
			case *ast.ValueSpec:
				ids = append(ids, s.Names...)
			}
		}
	}
	return ids
}
