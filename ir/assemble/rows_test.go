package assemble

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// constants returns the integer constants that some Go files declare at top level, by name.
func constants(t *testing.T, fset *token.FileSet, files ...*ast.File) map[string]int64 {
	t.Helper()
	conf := types.Config{Error: func(error) {}} // imports are not followed
	pkg, _ := conf.Check("p", fset, files, nil)
	found := map[string]int64{}
	for _, name := range pkg.Scope().Names() {
		if c, ok := pkg.Scope().Lookup(name).(*types.Const); ok && c.Val().Kind() == constant.Int {
			found[name], _ = constant.Int64Val(c.Val())
		}
	}
	return found
}

// TestOperations checks that the operations and layouts of this package have the values of the
// runtime's constants of the same names, and that it has all of them.
func TestOperations(t *testing.T) {
	fset := token.NewFileSet()
	parse := func(name string, src any) *ast.File {
		f, err := parser.ParseFile(fset, name, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	var sources []*ast.File
	names, err := fs.Glob(pgmrt.Source, "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if name == "lanes_other.go" { // declares what lanes_amd64.go does
			continue
		}
		text, err := fs.ReadFile(pgmrt.Source, name)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, parse(name, text))
	}
	own, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	own = slices.DeleteFunc(own, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	var files []*ast.File
	for _, name := range own {
		files = append(files, parse(name, nil))
	}
	format := regexp.MustCompile(`^(tape|plain|nest)[A-Z]`)
	want, got := constants(t, fset, sources...), constants(t, fset, files...)
	found := 0
	for name, x := range got {
		y, ok := want[name]
		switch {
		case ok && x != y:
			t.Errorf("%s is %d; the runtime has %d", name, x, y)
		case ok:
			found++
		case format.MatchString(name):
			t.Errorf("the runtime has no %s", name)
		}
	}
	if found < 80 {
		t.Errorf("%d constants are the runtime's; want all of the format", found)
	}
	for name := range want {
		if _, ok := got[name]; !ok && format.MatchString(name) {
			t.Errorf("%s of the runtime has no counterpart here", name)
		}
	}
}

// TestRows checks that each kind of step has a row, and that kinds that mirror another package's
// have one counterpart each.
func TestRows(t *testing.T) {
	kinds := irtest.StepTypes(t)
	for _, name := range kinds {
		found := false
		for kind := range rows {
			found = found || kind.Elem().Name() == name
		}
		if !found {
			t.Errorf("ir.%s has no row", name)
		}
	}
	if len(rows) != len(kinds) {
		t.Errorf("%d rows for %d kinds of step", len(rows), len(kinds))
	}
	if len(statsOps) != int(ir.StatsRunReal)+1 || len(tallyOps) != int(ir.TallyEntropy)+1 || len(trialKinds) != int(ir.RestoreBest)+1 {
		t.Error("a kind of fold, tally or trial has no operation")
	}
}
