package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestRuntimeNames checks the assumptions of renaming identifiers in the runtime's files: no keyed
// element has the name of both a field and an exported declaration, no declaration begins as the
// new names do, and the names of every API exist.
func TestRuntimeNames(t *testing.T) {
	exported, err := exportedNames()
	if err != nil {
		t.Fatal(err)
	}
	entries, err := pgmrt.Source.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	field, keys := map[string]bool{}, map[string]string{}
	for _, entry := range entries {
		if isAssembly(entry.Name()) {
			continue
		}
		src, err := pgmrt.Source.ReadFile(entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), entry.Name(), src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range members(f) {
			field[id.Name] = true
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if pair, ok := n.(*ast.KeyValueExpr); ok {
				if id, ok := pair.Key.(*ast.Ident); ok && exported[id.Name] {
					keys[id.Name] = entry.Name()
				}
			}
			return true
		})
		for _, decl := range f.Decls {
			for _, id := range declared(decl) {
				if strings.HasPrefix(id.Name, "rt") {
					t.Errorf("%s: %s begins with rt, as renamed declarations do", entry.Name(), id.Name)
				}
			}
		}
	}
	for name, file := range keys {
		if field[name] && !slices.Contains(KeptNames, name) && name != "Report" { // a TrialReport embeds one
			t.Errorf("%s: the key %s names a field and an exported declaration", file, name)
		}
	}
	for _, name := range KeptNames {
		if !exported[name] {
			t.Errorf("the runtime has no %s", name)
		}
	}
}

func TestRewrite(t *testing.T) {
	src := "package a\n\n// Old is Old, not Older.\nfunc Old(x T) int { return x.Old + Old(x) } // Old\n\ntype T struct{ Old *Old }\n\nfunc (T) Old() Old\n"
	want := "package a\n\n// New is New, not Older.\nfunc New(x T) int { return x.Old + New(x) } // New\n\ntype T struct{ Old *New }\n\nfunc (T) Old() New\n"
	got, err := rewrite([]byte(src), func(id string) string {
		if id == "Old" {
			return "New"
		}
		return id
	})
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
}
