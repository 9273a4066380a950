package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
)

// Converted reports conversions from the states of one variable, or the evidence of one model, to
// another's.
var Converted = &analysis.Analyzer{
	Name: "pgmcstate",
	Doc: "report states that are converted to those of another variable\n\n" +
		"States are numbered in the order of the model, which may differ between variables and\n" +
		"models. Their names are what they share.",
	Requires: []*analysis.Analyzer{inspect.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
		in.Preorder([]ast.Node{(*ast.CallExpr)(nil)}, func(n ast.Node) {
			call := n.(*ast.CallExpr)
			to, ok := pass.TypesInfo.Types[call.Fun]
			if !ok || !to.IsType() || len(call.Args) != 1 {
				return
			}
			from := pass.TypesInfo.TypeOf(call.Args[0])
			toPkg, toName := named(to.Type)
			fromPkg, fromName := named(from)
			if toPkg == nil || fromPkg == nil || toPkg == pass.Pkg || types.Identical(to.Type, from) {
				return
			}
			pass.Reportf(call.Pos(), "%s.%s is converted to %s.%s, whose states may have other numbers; convert by name",
				fromPkg.Name(), fromName, toPkg.Name(), toName)
		})
		return nil, nil
	},
}
