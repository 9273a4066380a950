package irtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

// StepTypes returns the names of all kinds of ir.Step, sorted: the types of package ir with the
// unexported method that seals the interface.
func StepTypes(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(ModuleRoot(t), "ir", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != "verify" || len(f.Type.Params.List) != 1 {
				continue
			}
			if named(f.Type.Params.List[0].Type) == "verifier" {
				names = append(names, named(f.Recv.List[0].Type))
			}
		}
	}
	if len(names) < 20 {
		t.Fatalf("found %d kinds of step in package ir", len(names))
	}
	slices.Sort(names)
	return names
}

// named returns the name of the type to which x is a pointer, or "".
func named(x ast.Expr) string {
	if star, ok := x.(*ast.StarExpr); ok {
		if id, ok := star.X.(*ast.Ident); ok {
			return id.Name
		}
	}
	return ""
}
