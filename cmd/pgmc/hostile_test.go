package main

import (
	"context"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// hostileNames are names that could leave comments, strings, struct tags and identifiers, or that
// have a meaning elsewhere.
var hostileNames = []string{
	"", " ", `"`, `a"b`, `"; panic(1); "`, "`", "` + x + `", "'", `\`, `\"`, "%s%d", "a\nb", "a\rb", "\n//go:generate rm -rf x", "\r\n//line x.go:1\n",
	"*/", "*/ func init() { panic(1) } /*", "/*", "//", "//go:embed x", "//go:generate rm -rf x", "//go:build ignore", "// +build ignore", "//line foo:1",
	"/*line foo:1*/", "//export x", "//go:linkname a b", "\x00", "a\x00b", "\xff\xfe", "\xed\xa0\x80", "\u202ea\u202c", "\u2066x\u2069", "a\u200bb", "\ufeff",
	"e\u0301", "é", "\u2028", "\u0085", "日本", "😀", "ſ", "func", "type", "package", "nil", "string", "init", "main", "_", "Engine", "Evidence",
	"Marginals", "New", "Pool", "LogP", "logP", "ErrState", "String", "MarshalText", "Lock", "rtRescale", "variables", "enums", "1st", "<7.5", "12+", "-", "-1",
	"a,omitempty", `json:"x"`, "a.b", "a b", "a-b", "a_b", "A B", "AB", "ab", "XDist", "X", "XUnset", "XValues", "XMask", "XSet", "Joint", "fitting", "unset", "Empty", "true", "pgmc.invalid/generated",
	strings.Repeat("long", 2500), strings.Repeat("\"", 3000),
}

// hostileModel returns a model with a name in every place where one can occur, and with other names
// that collide with it once it is made an identifier.
func hostileModel(name string) *model.Model {
	m := &model.Model{Name: name}
	states := distinctNames(name, name+" ", "X", "x")
	a, b := m.NewVar(name, states...), m.NewVar(name+"_", "y", name)
	uniform := make([]float64, len(states))
	for i := range uniform {
		uniform[i] = 1 / float64(len(uniform))
	}
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{a.ID}, Dist: &model.Table{Values: uniform}},
		&model.Factor{Scope: []model.VarID{a.ID, b.ID}, Child: 1, Dist: &model.Table{Values: slices.Repeat([]float64{0.25, 0.75}, len(states))}})
	return m
}

// hostileQueries returns a query of each kind whose code declares names of its own.
func hostileQueries(m *model.Model) []string {
	a, b := strconv.Quote(m.Vars[0].Name), strconv.Quote(m.Vars[1].Name)
	return []string{"marginals", "posteriors", "logprob", "mpe", "sample", "batch", "sets", "jeffrey", "joint(" + a + ", " + b + ")", b + " | do(" + a + ")"}
}

func distinctNames(names ...string) (out []string) {
	for _, n := range names {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

func emitModel(t *testing.T, m *model.Model, opt codegen.Options, queries ...string) *codegen.Package {
	t.Helper()
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Steps: -1, Queries: queries})
	if err != nil {
		t.Fatalf("%q: %v", m.Name, err)
	}
	pkg, err := codegen.Emit(r.Model, r.Program, opt)
	if err != nil {
		t.Fatalf("%q: %v", m.Name, err)
	}
	return pkg
}

// TestHostileNames checks that packages of models with hostile names build, pass vet, hold text of
// a name in strings and comments only, and return the names through text and JSON. A short test
// emits the packages of all names and builds every fifth.
func TestHostileNames(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many packages")
	}
	every := irtest.Count(t, 5, 1)
	root, dir := irtest.ModuleRoot(t), t.TempDir()
	putFiles(t, dir, map[string]string{"go.mod": "module m\n\ngo 1.26.0\n\nrequire github.com/pgmc-go/pgmc v0.0.0\n\nreplace github.com/pgmc-go/pgmc => " + root + "\n"})
	var imports, evidence strings.Builder
	var models []*model.Model
	for i, name := range hostileNames {
		m := hostileModel(name)
		types := []string{codegen.TypesOwn, codegen.TypesShared}[i%2]
		opt := codegen.Options{Package: fmt.Sprint("p", i), Source: name, Types: types, Runtime: codegen.RuntimeImport, Claim: name}
		out := map[string]string{}
		for _, f := range emitModel(t, m, opt, hostileQueries(m)...).Files {
			checkSource(t, name, f)
			out[f.Name] = string(f.Data)
		}
		if i%every != 0 {
			continue
		}
		putFiles(t, filepath.Join(dir, opt.Package), out)
		fmt.Fprintf(&imports, "%q\n", "m/"+opt.Package)
		fmt.Fprintf(&evidence, "new(%s.Evidence), ", opt.Package)
		models = append(models, m)
	}
	text, err := os.ReadFile("testdata/hostile_driver.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	driver := strings.NewReplacer("/*IMPORTS*/", imports.String(), "/*EVIDENCE*/", evidence.String()).Replace(string(text))
	putFiles(t, filepath.Join(dir, "driver"), map[string]string{"main.go": driver})
	goCommand(t, dir, nil, "vet", "-mod=mod", "./...")
	program := filepath.Join(dir, "driver.exe")
	goCommand(t, dir, nil, "build", "-mod=mod", "-o", program, "./driver")
	answer, err := exec.Command(program).Output()
	if err != nil {
		t.Fatal(err)
	}
	checkReports(t, models, answer)
}

// checkReports compares the driver's reports with the names.
func checkReports(t *testing.T, models []*model.Model, answer []byte) {
	t.Helper()
	var reports []struct {
		States [][][]byte
		Keys   []string
		Faults []string
	}
	if err := json.Unmarshal(answer, &reports); err != nil || len(reports) != len(models) {
		t.Fatalf("%d reports on %d packages, %v", len(reports), len(models), err)
	}
	for i, m := range models {
		r := reports[i]
		for _, f := range r.Faults {
			t.Errorf("%.80q: %s", m.Name, f)
		}
		if len(r.States) != len(m.Vars) || len(r.Keys) != len(m.Vars) || r.Keys[0] == r.Keys[1] {
			t.Errorf("%.80q: %d variables, keys %q", m.Name, len(r.States), r.Keys)
			continue
		}
		for v := range m.Vars {
			var got []string
			for _, s := range r.States[v] {
				got = append(got, string(s))
			}
			var want []string
			for _, s := range m.States(model.VarID(v)) {
				if s == "" {
					s = "Empty" // the empty text is "not observed"
				}
				want = append(want, string([]rune(s))) // JSON holds no text but UTF-8
			}
			if !slices.Equal(got, want) {
				t.Errorf("%.80q: the states of variable %d are %q; want %q", m.Name, v, got, want)
			}
		}
	}
}

// fileName matches the names that generated files may have.
var fileName = regexp.MustCompile(`^[a-z][a-z0-9_]*\.(go|s|dat)$`)

// directive matches comments and lines that the compiler or the go command interprets.
var directive = regexp.MustCompile(`^\s*(//[a-z0-9]+:|//line|/\*line|//export|//extern|//\s*\+build|#cgo)`)

// checkSource checks that Go can parse a file, that text of a model occurs in strings and comments
// only, and that neither holds a directive or an invisible character.
func checkSource(t *testing.T, name string, f codegen.File) {
	t.Helper()
	fault := func(format string, args ...any) {
		t.Errorf("%.80q: %s: %s", name, f.Name, fmt.Sprintf(format, args...))
	}
	if !fileName.MatchString(f.Name) {
		fault("a file can't be called so")
	}
	if !strings.HasSuffix(f.Name, ".go") {
		return
	}
	if _, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Data, parser.ParseComments|parser.AllErrors|parser.SkipObjectResolution); err != nil {
		fault("%v", err)
	}
	if !utf8.Valid(f.Data) {
		fault("no UTF-8")
	}
	for _, r := range string(f.Data) {
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			fault("the character %U does not show", r)
		}
	}
	for i, line := range strings.Split(string(f.Data), "\n") {
		kernel := line == "//go:build go1.24" || strings.HasPrefix(f.Name, "pgmrt") && (strings.HasPrefix(line, "//go:build ") || line == "//go:noescape")
		if directive.MatchString(line) && !kernel && line != "//go:embed "+strings.TrimSuffix(f.Name, ".go")+".dat" {
			fault("line %d is a directive: %.80s", i+1, line)
		}
	}
	for _, tok := range tokens(f.Data) {
		if tok.kind == token.IDENT && !identifier.MatchString(tok.text) {
			fault("the identifier %.80q", tok.text)
		}
		if tok.kind == token.STRING && tok.text[0] == '`' && !strings.HasPrefix(tok.text, "`json:\"") {
			fault("the raw string %.80s", tok.text)
		}
	}
}

// identifier matches all identifiers of generated code.
var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// goToken is a token of a Go file. Operators have no text.
type goToken struct {
	kind token.Token
	text string
}

// tokens returns the tokens of a file without comments.
func tokens(src []byte) (list []goToken) {
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), len(src)), src, nil, 0)
	for {
		_, tok, text := s.Scan()
		if tok == token.EOF {
			return list
		}
		list = append(list, goToken{tok, text})
	}
}

// TestNamesAreNoCode checks that, if the user chooses all identifiers, the code of two models that
// differ in their names is the same, token by token, except for the text of strings. Comments are
// not among the tokens.
func TestNamesAreNoCode(t *testing.T) {
	emit := func(name string) *codegen.Package {
		m := hostileModel(name)
		opt := codegen.Options{Package: "p", Source: name, Names: map[string]string{}}
		for i, v := range m.Vars {
			opt.Names[v.Name] = fmt.Sprint("Var", i)
			for k, s := range m.States(v.ID) {
				opt.Names[v.Name+"."+s] = fmt.Sprintf("State%dOf%d", k, i)
			}
		}
		return emitModel(t, m, opt)
	}
	plain := emit("plain")
	for _, name := range hostileNames {
		if len(hostileModel(name).States(0)) != 4 {
			continue // another number of states gives other code
		}
		for i, f := range emit(name).Files {
			got, want := tokens(f.Data), tokens(plain.Files[i].Data)
			same := func(a, b goToken) bool { return a == b || a.kind == token.STRING && b.kind == token.STRING }
			if f.Name != plain.Files[i].Name || !slices.EqualFunc(got, want, same) {
				t.Errorf("%.80q changes the code of %s", name, f.Name)
			}
		}
	}
}

// TestHostileFiles checks that a name that BIF can express gives the same package from a file, by
// the command, as from memory. A short test takes every third name.
func TestHostileFiles(t *testing.T) {
	bif, err := format.Find(compiler.Formats, "x.bif", "")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	spelled, every := 0, irtest.Count(t, 3, 1)
	for i, name := range hostileNames {
		m := hostileModel(name)
		path := filepath.Join(dir, fmt.Sprintf("m%d.bif", i))
		sink, err := format.Encode(nil, bif, path, m)
		if err != nil {
			continue // a quote, a control character, or no UTF-8
		}
		if spelled++; spelled%every != 0 {
			continue
		}
		if err := sink.Flush(); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, fmt.Sprint("out", i))
		if code, _, stderr := pgmc("", "compile", path, "-o", out, "-q"); code != cli.ExitDone {
			t.Errorf("%.80q: exit code %d\n%s", name, code, stderr)
			continue
		}
		want := map[string]string{}
		for _, f := range emitModel(t, m, codegen.Options{Package: fmt.Sprint("m", i), Source: filepath.Base(path)}).Files {
			want[f.Name] = string(f.Data)
			checkSource(t, name, f)
		}
		if got := readFiles(t, out); !maps.Equal(got, want) {
			t.Errorf("%.80q: the package from a file differs from the one from memory", name)
		}
	}
	if spelled < len(hostileNames)/2 {
		t.Errorf("BIF can spell %d of %d names; want most", spelled, len(hostileNames))
	}
}

// TestHostileFileNames checks that names of files become names of packages and words in comments,
// and nothing else.
func TestHostileFileNames(t *testing.T) {
	data, err := os.ReadFile(asia(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"*": "model", "..": "model", "-o": "o", "func": "modelfunc", "9": "model9", "a\nfunc init() { panic(1) }": "afuncinitpanic1",
		"\n//go:generate rm -rf x": "gogeneratermrfx", "a\\..\\b": "ab", "*\u202e": "model", "\xff": "model", "internal": "internal", "a_test": "atest",
		"x_windows": "xwindows", "a`b\"c'd": "abcd", "vendor": "vendor", "testdata": "testdata", "$(id)": "id", "main": "modelmain", "_a": "a", ".git": "git",
	} {
		dir := t.TempDir()
		t.Chdir(dir)
		file := name + ".bif"
		if strings.Contains(name, "//go:generate") {
			file = strings.ReplaceAll(name, "//", "") + ".bif" // a name holds no slash
		}
		if err := os.WriteFile(filepath.Join(dir, file), data, 0o644); err != nil {
			t.Skipf("%q: this system can't name a file so: %v", name, err)
		}
		if code, _, stderr := pgmc("", "compile", "-q", "--", file); code != cli.ExitDone {
			t.Errorf("%q: exit code %d\n%s", name, code, stderr)
			continue
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 2 {
			t.Errorf("%q: the folder holds %v, %v", name, entries, err)
		}
		for base, text := range readFiles(t, want) {
			checkSource(t, name, codegen.File{Name: base, Data: []byte(text)})
			if strings.HasSuffix(base, ".go") && !strings.Contains(text, "\npackage "+want+"\n") {
				t.Errorf("%q: %s is of another package than %s", name, base, want)
			}
		}
	}
}

// TestHostileIdentifiers checks that a file of identifiers is refused with the place of the
// mistake.
func TestHostileIdentifiers(t *testing.T) {
	const taken, none = `can't be called %s: the name is taken`, `can't be called %s; want an exported Go identifier in ASCII`
	for _, c := range []struct{ text, want string }{
		{"smoke = Engine", `1:1: "smoke" ` + fmt.Sprintf(taken, "Engine")},
		{"# \n\n smoke = LogProb", `3:2: "smoke" ` + fmt.Sprintf(taken, "LogProb")},
		{"smoke = Tub\ntub = Tub", `1:1: "smoke" ` + fmt.Sprintf(taken, "Tub")},
		{"tub = Smoke\nsmoke = Smoke", `2:1: "smoke" ` + fmt.Sprintf(taken, "Smoke")},
		{"smoke = X\ntub = XDist", `1:1: "smoke" ` + fmt.Sprintf(taken, "X")},
		{"smoke.yes = Y\nsmoke.no = Y", `2:1: "smoke.no" ` + fmt.Sprintf(taken, "Y")},
		{"smoke.yes = Evidence", `1:1: "smoke.yes" ` + fmt.Sprintf(taken, "Evidence")},
		{"smoke.yes = NewRand", `1:1: "smoke.yes" ` + fmt.Sprintf(taken, "NewRand")},
		{"smoke = smoke", `1:1: "smoke" ` + fmt.Sprintf(none, `"smoke"`)},
		{"smoke =", `1:1: "smoke" ` + fmt.Sprintf(none, `""`)},
		{"smoke = func", `1:1: "smoke" ` + fmt.Sprintf(none, `"func"`)},
		{"smoke = X; func init() { panic(1) }", `1:1: "smoke" ` + fmt.Sprintf(none, `"X; func init() { panic(1) }"`)},
		{"smoke = X\r\ntub = É\r\n", `2:1: "tub" ` + fmt.Sprintf(none, `"É"`)},
		{"smoke = X\u202e", `1:1: "smoke" ` + fmt.Sprintf(none, `"X\u202e"`)},
		{"smoke = X\x00", `1:1: "smoke" ` + fmt.Sprintf(none, `"X\x00"`)},
		{"\x00", `1:1: found "\x00"; want a name, = and an identifier`},
	} {
		dir := t.TempDir()
		file, out := filepath.Join(dir, "names.txt"), filepath.Join(dir, "out")
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		code, _, stderr := pgmc("", "compile", asia(t), "-o", out, "--names", file)
		if want := file + ":" + c.want + "\n"; code != cli.ExitInput || stderr != want {
			t.Errorf("%q: exit code %d\n%s; want\n%s", c.text, code, stderr, want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%q: a package is written", c.text)
		}
	}
}
