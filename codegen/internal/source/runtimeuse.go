package source

import (
	"fmt"
	"go/ast"
	"slices"

	"github.com/dave/jennifer/jen"
)

// The import paths of the runtime, and of the part that answers HTTP requests.
const (
	runtimePath = "github.com/pgmc-go/pgmc/runtime"
	handlerPath = runtimePath + "/handler"
)

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
		return jen.Qual(importPath(name), name)
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

// Copy returns a copy of the parts of the runtime that the package needs, which has some files of
// its own.
func (u *RuntimeUse) Copy(own []File) (*RuntimeCopy, error) {
	out := &RuntimeCopy{}
	if u.Imported {
		return out, nil
	}
	r, err := parseRuntime()
	if err != nil {
		return nil, err
	}
	for _, name := range u.used {
		if r.byName[name] == nil {
			return nil, fmt.Errorf("the runtime declares no %s", name)
		}
	}
	w := newReach(u.API, u.used, own)
	w.run(r)
	for _, f := range r.files {
		out.add(f, w.kept, func(id string) string {
			if r.isName(id) {
				return u.copiedName(id)
			}
			return id
		})
	}
	return out, nil
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
