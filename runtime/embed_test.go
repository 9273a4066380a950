package pgmrt

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
)

// notCopied lists the files that no generated package copies.
var notCopied = []string{"doc.go", "embed.go"}

// TestSourceFiles compares the table of Files with the declarations and uses in the files.
func TestSourceFiles(t *testing.T) {
	names, needs := dependencies(t, "_other.go")
	_, others := dependencies(t, "_amd64.go")
	for file, list := range others {
		needs[file] = slices.Compact(slices.Sorted(slices.Values(append(needs[file], list...))))
	}
	for _, file := range sources(t) {
		if body, ok := strings.CutSuffix(file, ".s"); ok { // it has the bodies of functions
			needs[body+".go"] = slices.Sorted(slices.Values(append(needs[body+".go"], file)))
		}
	}
	rest := sources(t)
	for _, f := range sourceFiles() {
		if !slices.Contains(rest, f.name) {
			t.Errorf("%s is in the table, and not in the folder", f.name)
			continue
		}
		rest = slices.DeleteFunc(rest, func(name string) bool { return name == f.name })
		if !slices.Equal(names[f.name], f.names) || !slices.Equal(needs[f.name], f.needs) {
			t.Errorf("%s declares %q and needs %q; the table says %q and %q",
				f.name, names[f.name], needs[f.name], f.names, f.needs)
		}
	}
	if !slices.Equal(rest, notCopied) {
		t.Errorf("not in the table: %q; want %q", rest, notCopied)
	}
}

// dependencies returns, for each file of the folder, the exported names that it declares at the top
// level and the files whose declarations it uses, both sorted. It does not follow imports. The
// files that end in without are left out, since they declare for another processor what others
// declare.
func dependencies(t *testing.T, without string) (names, needs map[string][]string) {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range sources(t) {
		if strings.HasSuffix(name, without) || strings.HasSuffix(name, ".s") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Error: func(error) {}}
	pkg, _ := conf.Check("pgmrt", fset, files, info) // fails because imports are missing
	in := func(pos token.Pos) string { return fset.Position(pos).Filename }
	names, needs = map[string][]string{}, map[string][]string{}
	for _, name := range pkg.Scope().Names() {
		if at := in(pkg.Scope().Lookup(name).Pos()); ast.IsExported(name) {
			names[at] = append(names[at], name)
		}
	}
	for ident, object := range info.Uses {
		user, owner := in(ident.Pos()), in(object.Pos())
		if object.Pkg() == pkg && owner != user && !slices.Contains(needs[user], owner) {
			needs[user] = append(needs[user], owner)
		}
	}
	for _, list := range needs {
		slices.Sort(list)
	}
	return names, needs
}

// sources returns the files of the folder except tests.
func sources(t *testing.T) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, ".s") || strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			names = append(names, e.Name())
		}
	}
	return names
}

// TestSource checks that Source returns exactly the files of the table.
func TestSource(t *testing.T) {
	got, err := fs.Glob(Source, "*")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, f := range sourceFiles() {
		want = append(want, f.name)
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("Source has %q; the table %q", got, want)
	}
}

func TestFiles(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{[]string{"Rescale"}, "scale.go"},
		{[]string{"Normalize", "Rescale", "Normalize"}, "normalize.go scale.go"},
		{[]string{"Argmax"}, "pick.go rand.go"},
		{[]string{"RunLanes"}, "cpu_amd64.go cpu_amd64.s cpu_wide_amd64.go lanes.go lanes_amd64.go lanes_amd64.s lanes_apply.go lanes_other.go lanes_sums.go log.go"},
	} {
		got, err := Files(c.names...)
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("Files(%q) = %q, %v; want %s", c.names, got, err, c.want)
		}
	}
	if _, err := Files("Nest"); err == nil {
		t.Error("a name that no file to copy declares was found")
	}
}
