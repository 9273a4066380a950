package irtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

// direct matches a logarithm of package math in the text of generated code.
var direct = regexp.MustCompile(`\bmath\.Log(10)?\b`)

// The logarithms of numbers that may be subnormal are those of runtime.Ln: math.Log and math.Log10
// are wrong for subnormal numbers on amd64. Log10 remains to commands, for counts and times.
func TestLogarithms(t *testing.T) {
	for _, p := range load(t) {
		name := strings.TrimPrefix(p.PkgPath, module+"/")
		for _, file := range p.GoFiles {
			if strings.HasPrefix(name, "generated/") || strings.HasSuffix(file, "/runtime/log.go") {
				continue
			}
			files := token.NewFileSet()
			f, err := parser.ParseFile(files, file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				found := ""
				switch n := n.(type) {
				case *ast.BasicLit:
					found = direct.FindString(n.Value)
				case *ast.SelectorExpr:
					if x, ok := n.X.(*ast.Ident); ok {
						found = direct.FindString(x.Name + "." + n.Sel.Name)
					}
				}
				if found == "math.Log" || found != "" && !strings.HasPrefix(name, "cmd/") {
					t.Errorf("%v: found %s; want Ln of package runtime", files.Position(n.Pos()), found)
				}
				return true
			})
		}
	}
}
