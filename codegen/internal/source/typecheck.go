package source

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/pgmc-go/pgmc/ir/group"
)

// errInternal begins errors that are a defect of the compiler, for any model.
var errInternal = errors.New("internal error")

// Check checks the types of a package, so that a defect of the generator is an error of Emit
// and not of the user's build. It needs no Go installation, because stdFiles declares the names
// of the standard library that packages use. It checks the files that a build for amd64 takes. It
// takes about 0.07 s of CPU time for alarm (0.36 MB of files) and 0.95 s for munin1 (4.1 MB), for
// which emitting takes 12.5 s.
func Check(name string, list []File) error {
	fset := token.NewFileSet()
	files, err := parseAll(fset, list)
	if err != nil {
		return fmt.Errorf("%w: %w", errInternal, err)
	}
	config := types.Config{Importer: imports{}, Sizes: types.SizesFor("gc", "amd64")}
	if _, err := config.Check(name, fset, files, nil); err != nil {
		return fmt.Errorf("%w: the package does not compile: %w", errInternal, err)
	}
	return nil
}

// parseAll parses the Go files that a build for amd64 takes, concurrently.
func parseAll(fset *token.FileSet, list []File) ([]*ast.File, error) {
	var g group.Group
	files, errs := make([]*ast.File, len(list)), make([]error, len(list))
	for i, f := range list {
		if strings.HasSuffix(f.Name, ".go") && forAMD64(f.Data) {
			g.Go(func() { files[i], errs[i] = parser.ParseFile(fset, f.Name, f.Data, parser.SkipObjectResolution) })
		}
	}
	g.Wait()
	return slices.DeleteFunc(files, func(f *ast.File) bool { return f == nil }), errors.Join(errs...)
}

// forAMD64 reports whether a build for amd64 takes a Go file, according to the build constraint
// above its package clause.
func forAMD64(src []byte) bool {
	for line := range strings.Lines(string(src[:min(len(src), 1<<10)])) {
		if expr, err := constraint.Parse(strings.TrimSpace(line)); err == nil {
			return expr.Eval(func(tag string) bool { return tag == "amd64" || tag == MinGo })
		}
		if strings.HasPrefix(line, "package ") {
			break
		}
	}
	return true
}

// imports imports the packages that generated packages may import.
type imports struct{}

// Import implements types.Importer.
func (imports) Import(path string) (*types.Package, error) {
	if path == runtimePath || path == handlerPath {
		all, err := runtimePackages()
		return all[path], err
	}
	pkg, ok := stdPackages()[path]
	if !ok {
		return nil, fmt.Errorf("no package of the generator may import %q", path)
	}
	return pkg, nil
}

// stdPackages returns the packages of stdFiles by path, checked once.
var stdPackages = sync.OnceValue(func() map[string]*types.Package {
	checked := map[string]*types.Package{"embed": types.NewPackage("embed", "embed")}
	checked["embed"].MarkComplete()
	config := types.Config{Importer: mapImporter(checked), IgnoreFuncBodies: true}
	for _, path := range stdPaths {
		text, err := stdSource(path)
		if err != nil {
			panic("codegen: " + err.Error())
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
		if err != nil {
			panic("codegen: " + err.Error())
		}
		if checked[path], err = config.Check(path, fset, []*ast.File{file}, nil); err != nil {
			panic("codegen: " + err.Error())
		}
	}
	return checked
})

// mapImporter imports packages that have been checked already.
type mapImporter map[string]*types.Package

// Import implements types.Importer.
func (m mapImporter) Import(path string) (*types.Package, error) {
	if pkg := m[path]; pkg != nil {
		return pkg, nil
	}
	return nil, fmt.Errorf("package %q is not declared before", path)
}

// runtimePackages returns the types of the runtime's packages, by path, as an importing package
// sees them, checked once from the embedded sources.
var runtimePackages = sync.OnceValues(func() (map[string]*types.Package, error) {
	r, err := parseRuntime()
	if err != nil {
		return nil, err
	}
	files := map[string][]*ast.File{}
	for _, f := range r.files {
		if forAMD64(f.src) {
			in := path.Join(runtimePath, path.Dir(f.name))
			files[in] = append(files[in], f.parsed)
		}
	}
	checked := maps.Clone(stdPackages())
	config := types.Config{Importer: mapImporter(checked), Sizes: types.SizesFor("gc", "amd64")}
	for _, in := range []string{runtimePath, handlerPath} {
		if checked[in], err = config.Check(in, r.fset, files[in], nil); err != nil {
			return nil, err
		}
	}
	return checked, nil
})
