package source

import (
	"go/ast"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// runtimeOf returns the parsed files of the runtime.
func runtimeOf(t *testing.T) *runtimeFiles {
	t.Helper()
	r, err := parseRuntime()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRuntimeNames checks the assumptions of renaming identifiers in the runtime's files: no keyed
// element has the name of both a field and an exported declaration, no declaration begins as the
// new names do, no two packages of the runtime declare the same name, and the names of every API
// exist.
func TestRuntimeNames(t *testing.T) {
	r := runtimeOf(t)
	field, keys, owner := map[string]bool{}, map[string]string{}, map[string]string{}
	for _, f := range r.files {
		for _, d := range f.decls {
			for _, id := range declared(d.Decl) {
				if of, ok := owner[id.Name]; ok && of != path.Dir(f.name) {
					t.Errorf("%s: %s is declared in %s too", f.name, id.Name, of)
				}
				owner[id.Name] = path.Dir(f.name)
			}
		}
		for _, id := range members(f.parsed) {
			field[id.Name] = true
		}
		ast.Inspect(f.parsed, func(n ast.Node) bool {
			if pair, ok := n.(*ast.KeyValueExpr); ok {
				if id, ok := pair.Key.(*ast.Ident); ok && r.isName(id.Name) {
					keys[id.Name] = f.name
				}
			}
			return true
		})
	}
	for name := range r.byName {
		if strings.HasPrefix(name, "rt") {
			t.Errorf("%s begins with rt, as renamed declarations do", name)
		}
	}
	for name, file := range keys {
		if field[name] && !slices.Contains(KeptNames, name) && name != "Report" { // a TrialReport embeds one
			t.Errorf("%s: the key %s names a field and an exported declaration", file, name)
		}
	}
	for _, name := range KeptNames {
		if !r.isName(name) {
			t.Errorf("the runtime has no %s", name)
		}
	}
}

// TestLocalNames checks that no parameter and no local variable of the runtime has the name of a
// declaration, which copies would then hold for nothing.
func TestLocalNames(t *testing.T) {
	r := runtimeOf(t)
	for _, f := range r.files {
		local := func(list ...ast.Expr) {
			for _, x := range list {
				if id, ok := x.(*ast.Ident); ok && r.byName[id.Name] != nil && !f.members[f.offset(id.Pos())] && id.Name != "_" {
					t.Errorf("%s: the local variable %s has the name of a declaration in %s", f.name, id.Name, r.byName[id.Name].name)
				}
			}
		}
		ast.Inspect(f.parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok == token.DEFINE {
					local(n.Lhs...)
				}
			case *ast.RangeStmt:
				if n.Tok == token.DEFINE {
					local(n.Key, n.Value)
				}
			case *ast.Field:
				for _, id := range n.Names {
					local(id)
				}
			case *ast.DeclStmt:
				for _, id := range declared(n.Decl) {
					local(id)
				}
			}
			return true
		})
	}
}

// TestCopies checks the types of a copy of each exported name and of all that it needs, for amd64
// and for other processors.
func TestCopies(t *testing.T) {
	r := runtimeOf(t)
	for _, name := range slices.Sorted(maps.Keys(r.byName)) {
		if !r.isName(name) {
			continue
		}
		u := &RuntimeUse{API: KeptNames}
		u.Keep(name)
		c, err := u.Copy(nil)
		if err != nil {
			t.Fatal(name, err)
		}
		all, err := c.All.File("p")
		if err != nil {
			t.Fatal(name, err)
		}
		for _, part := range []*Copied{&c.Amd64, &c.Other} {
			if len(part.imports) > 0 {
				t.Errorf("%s: a file for one processor imports %s", name, part.imports)
			}
			if err := Check("p", []File{{"pgmrt.go", all}, {"p.go", []byte("package p\n" + part.Text.String())}}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if got, want := found(inAssembly, &c.Assembly), found(withoutBody, &c.Amd64); !slices.Equal(got, want) {
			t.Errorf("%s: the assembly has %s; declared are %s", name, got, want)
		}
	}
}

// inAssembly and withoutBody match functions in assembly and their declarations.
var (
	inAssembly  = regexp.MustCompile(`(?m)^TEXT ·(\w+)\(SB\)`)
	withoutBody = regexp.MustCompile(`(?m)^func (\w+)\([^{\n]*$`)
)

// found returns the names that a pattern matches, sorted.
func found(pattern *regexp.Regexp, c *Copied) (names []string) {
	for _, m := range pattern.FindAllStringSubmatch(c.Text.String(), -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return names
}

// TestReach checks which declarations of a small runtime are kept.
func TestReach(t *testing.T) {
	const src = `package pgmrt

type A struct{ b *B }

func (a *A) Do()      { a.b.help() }
func (a *A) Other()   { lost() }
func (a *A) private() { lost() }

type B struct{ Used int }

func (b *B) help()         { unbound() }
func (b *B) Used()         { lost() }
func (b *B) Error() string { return text }

const text, also = "", ""

func unbound() {}
func lost()    {}

type I interface{ Other() }
`
	for _, c := range []struct {
		api, names, own, want string
	}{
		{"", "", "", ""},
		{"", "B", "", "B Error text"},
		{"", "A", "", "A B Error text"},
		{"", "A", "x.Do()", "A Do B help Error text unbound"},
		{"A", "A", "", "A Do Other B help Error text unbound lost"},
		{"", "A I", "", "A Other B Error text lost I"},
		{"", "also", "", "text"},
	} {
		r := &runtimeFiles{fset: token.NewFileSet(), byName: map[string]*runtimeFile{}}
		if err := r.add("a.go", []byte(src)); err != nil {
			t.Fatal(err)
		}
		w := newReach(strings.Fields(c.api), strings.Fields(c.names), []File{{"own.go", []byte(c.own)}})
		w.run(r)
		var got []string
		for _, d := range r.files[0].decls {
			if fn, ok := d.Decl.(*ast.FuncDecl); ok && w.kept[d] {
				got = append(got, fn.Name.Name)
			} else if w.kept[d] {
				got = append(got, declared(d.Decl)[0].Name)
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%q with %q and the API %q keeps %s; want %s", c.names, c.own, c.api, text, c.want)
		}
	}
}

func TestRewrite(t *testing.T) {
	src := "package a\n\n// Old is Old, not Older, and no pgmrt.Old.\nfunc Old(x T) int { return x.Old + Old(x) + pgmrt.Old } // Old\n\ntype T struct{ Old *Old }\n\nfunc (T) Old() pgmrt.Old\n"
	want := "package a\n\n// New is New, not Older, and no New.\nfunc New(x T) int { return x.Old + New(x) + New } // New\n\ntype T struct{ Old *New }\n\nfunc (T) Old() New\n"
	r := &runtimeFiles{fset: token.NewFileSet(), byName: map[string]*runtimeFile{}}
	if err := r.add("a.go", []byte(src)); err != nil {
		t.Fatal(err)
	}
	got := r.files[0].rewrite(0, len(src), func(id string) string {
		if id == "Old" {
			return "New"
		}
		return id
	})
	if got != want {
		t.Errorf("got %s; want %s", got, want)
	}
}
