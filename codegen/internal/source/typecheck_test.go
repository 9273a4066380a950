package source

import (
	"errors"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestStdSources checks that each declaration of stdFiles has the type that it has in the
// standard library.
func TestStdSources(t *testing.T) {
	paths := slices.Sorted(maps.Keys(stdPackages()))
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedExportFile}, paths...)
	if err != nil || len(loaded) != len(paths) {
		t.Fatal(loaded, err)
	}
	for _, real := range loaded {
		path, want, pkg := real.PkgPath, real.Types, stdPackages()[real.PkgPath]
		for _, name := range pkg.Scope().Names() {
			a, b := pkg.Scope().Lookup(name), want.Scope().Lookup(name)
			if b == nil {
				t.Errorf("%s has no %s", path, name)
				continue
			}
			if c, ok := a.(*types.Const); ok {
				if text := c.Val().ExactString(); text != b.(*types.Const).Val().ExactString() {
					t.Errorf("%s.%s is %s", path, name, text)
				}
			}
			if _, ok := a.(*types.TypeName); !ok && !sameText(a.Type(), b.Type()) {
				t.Errorf("%s.%s has type %s; want %s", path, name, a.Type(), b.Type())
			}
			checkMethods(t, a, b)
		}
	}
}

// checkMethods compares the methods that a type declares with those of the real type.
func checkMethods(t *testing.T, a, b types.Object) {
	t.Helper()
	if _, ok := a.(*types.TypeName); !ok {
		return
	}
	real := types.NewMethodSet(types.NewPointer(b.Type()))
	methods := types.NewMethodSet(types.NewPointer(a.Type()))
	for i := range methods.Len() {
		m := methods.At(i).Obj()
		if x := real.Lookup(b.Pkg(), m.Name()); x == nil || !sameText(m.Type(), x.Type()) {
			t.Errorf("%s.%s has a method %s of type %s", a.Pkg().Path(), a.Name(), m.Name(), m.Type())
		}
	}
}

// sameText reports whether two types have the same text, apart from the names of parameters.
func sameText(a, b types.Type) bool {
	s, ok := a.(*types.Signature)
	if !ok {
		return a.String() == b.String()
	}
	w, ok := b.(*types.Signature)
	return ok && s.Variadic() == w.Variadic() && tupleText(s.Params()) == tupleText(w.Params()) && tupleText(s.Results()) == tupleText(w.Results())
}

func tupleText(t *types.Tuple) string {
	var list []string
	for v := range t.Variables() {
		list = append(list, v.Type().String())
	}
	return strings.Join(list, ", ")
}

// TestRuntimeTypes checks the runtime against its declared imports.
func TestRuntimeTypes(t *testing.T) {
	packages, err := runtimePackages()
	if err != nil {
		t.Fatal(err)
	}
	r := runtimeOf(t)
	for name := range r.byName {
		if r.isName(name) && packages[importPath(name)].Scope().Lookup(name) == nil {
			t.Errorf("the checked runtime has no %s", name)
		}
	}
}

func TestTypecheck(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"right", "package p\n\nimport \"math\"\n\nfunc f() float64 { return math.Log(2) }\n", ""},
		{"syntax", "package p\n\nfunc f( {}\n", "p.go:3"},
		{"type", "package p\n\nvar x int = \"text\"\n", "p.go:3:13"},
		{"unused import", "package p\n\nimport \"math\"\n", "not used"},
		{"unused variable", "package p\n\nfunc f() {\n\tx := 1\n}\n", "p.go:4:2"},
		{"unknown package", "package p\n\nimport \"os\"\n\nvar x = os.Args\n", "\"os\""},
		{"version", "//go:build go1.24 && amd64\n\npackage p\n\nvar x int = \"text\"\n", "p.go:5:13"},
		{"other machine", "//go:build !amd64\n\npackage p\n\nvar x int = \"text\"\n", ""},
	} {
		err := Check("p", []File{{"p.go", []byte(c.text)}})
		if c.want == "" && err == nil {
			continue
		}
		if c.want == "" || err == nil || !errors.Is(err, errInternal) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.name, err, c.want)
		}
	}
}
