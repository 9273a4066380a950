package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
)

// perGoroutine lists the types of generated packages with values for one goroutine at a time.
var perGoroutine = []string{"Engine", "Session", "Rand"}

// Shared reports engines that a goroutine takes over from the function that starts it while others
// may use them: the go statement is in a loop, or the engine is used after it; and engines that are
// variables of a package.
var Shared = &analysis.Analyzer{
	Name: "pgmcshared",
	Doc: "report engines that several goroutines use\n\n" +
		"An engine of a package that pgmc generated holds the memory of one query. Each goroutine\n" +
		"needs its own, of New or of a Pool.",
	Requires: []*analysis.Analyzer{inspect.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
		for root := range in.Root().Preorder((*ast.GoStmt)(nil)) {
			s := root.Node().(*ast.GoStmt)
			start, loop := enclosing(root)
			for _, v := range captured(pass, s) {
				if loop != token.NoPos && v.Pos() < loop || usedAfter(pass, start, s, v) {
					pass.Reportf(s.Pos(), "%s is used by several goroutines; each needs its own, of New or of a Pool", v.Name())
				}
			}
		}
		return nil, nil
	},
}

// enclosing returns the body of the function around a go statement, and the place of the outermost
// loop in it that holds the statement.
func enclosing(c inspector.Cursor) (body ast.Node, loop token.Pos) {
	for at := range c.Enclosing() {
		switch n := at.Node().(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			loop = n.Pos()
		case *ast.FuncDecl:
			return n.Body, loop
		case *ast.FuncLit:
			return n.Body, loop
		}
	}
	return nil, loop
}

// captured returns the variables declared outside of a go statement that it uses and that one
// goroutine at a time may use.
func captured(pass *analysis.Pass, s *ast.GoStmt) (list []*types.Var) {
	ast.Inspect(s, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := pass.TypesInfo.Uses[id].(*types.Var)
		if !ok || v.IsField() || v.Pos() >= s.Pos() && v.Pos() < s.End() || slices.Contains(list, v) {
			return true
		}
		if pkg, name := named(v.Type()); pkg != nil && pkg != pass.Pkg && slices.Contains(perGoroutine, name) {
			list = append(list, v)
		}
		return true
	})
	return list
}

// usedAfter reports whether body uses v after the go statement s, or in another one.
func usedAfter(pass *analysis.Pass, body ast.Node, s *ast.GoStmt, v *types.Var) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Pos() >= s.End() && pass.TypesInfo.Uses[id] == v {
			found = true
		}
		return !found
	})
	return found
}
