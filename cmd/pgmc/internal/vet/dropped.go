package vet

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
)

// Dropped reports calls of queries with a dropped error.
var Dropped = &analysis.Analyzer{
	Name: "pgmcerror",
	Doc: "report errors of queries that are dropped\n\n" +
		"A query of a package that pgmc generated fails if the evidence is impossible or out of\n" +
		"range. Its answer is then no posterior.",
	Requires: []*analysis.Analyzer{inspect.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
		in.Preorder([]ast.Node{(*ast.ExprStmt)(nil), (*ast.GoStmt)(nil), (*ast.DeferStmt)(nil), (*ast.AssignStmt)(nil)}, func(n ast.Node) {
			call, ok := dropping(n)
			if !ok {
				return
			}
			if name := query(pass, call); name != "" {
				pass.Reportf(call.Pos(), "the error of %s is dropped, without which a failure looks like an answer", name)
			}
		})
		return nil, nil
	},
}

// failing lists the types of generated packages with methods that fail for reasons that a caller
// must know.
var failing = []string{"Engine", "Evidence", "Filter", "Session"}

// dropping returns the call with a last result that a statement drops.
func dropping(n ast.Node) (call *ast.CallExpr, ok bool) {
	switch s := n.(type) {
	case *ast.ExprStmt:
		call, ok = s.X.(*ast.CallExpr)
	case *ast.GoStmt:
		return s.Call, true
	case *ast.DeferStmt:
		return s.Call, true
	case *ast.AssignStmt:
		last, blank := s.Lhs[len(s.Lhs)-1].(*ast.Ident)
		if !blank || last.Name != "_" || len(s.Rhs) != 1 {
			return nil, false
		}
		call, ok = s.Rhs[0].(*ast.CallExpr)
	}
	return call, ok
}

// query returns how a call of a method of a generated package that returns an error is written, or
// an empty text.
func query(pass *analysis.Pass, call *ast.CallExpr) string {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	fn, ok := pass.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == pass.Pkg {
		return ""
	}
	sig := fn.Signature()
	results := sig.Results()
	if sig.Recv() == nil || results.Len() == 0 || results.At(results.Len()-1).Type().String() != "error" {
		return ""
	}
	pkg, typ := named(sig.Recv().Type())
	if pkg == nil || !slices.Contains(failing, typ) {
		return ""
	}
	return pkg.Name() + "." + typ + "." + fn.Name()
}
