package codegen_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// module is a temporary module into which packages are emitted, and in which they are built, vetted
// and tested.
type module struct {
	t      testing.TB
	dir    string
	checks []check
}

// check is a Go file of an emitted package: it has functions TestXxx(*testing.T), which
// [module.test] runs.
type check struct{ pkg, text string }

// moduleFlags are the flags of every go command in a module. With -trimpath the build cache keys
// packages by import path and content, so that a second run of the tests finds them there, although
// the temporary folder is another one. Packages without debugging information are smaller there.
const moduleFlags = "GOFLAGS=-mod=mod -trimpath -gcflags=./...=-dwarf=false"

func newModule(t testing.TB, goMod string) *module {
	t.Helper()
	m := &module{t: t, dir: t.TempDir()}
	m.write("go.mod", "module example.com/out\n\ngo 1.24\n"+goMod)
	return m
}

func (m *module) write(name, text string) {
	m.t.Helper()
	path := filepath.Join(m.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
}

func (m *module) emit(mod *model.Model, p *ir.Program, opt codegen.Options) *codegen.Package {
	m.t.Helper()
	pkg, err := codegen.Emit(mod, p, opt)
	if err != nil {
		m.t.Fatalf("Emit(%s): %v", opt.Package, err)
	}
	for _, f := range pkg.Files {
		m.write(opt.Package+"/"+f.Name, string(f.Data))
	}
	return pkg
}

func (m *module) run(env []string, args ...string) string {
	m.t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = m.dir
	cmd.Env = append(append(os.Environ(), "GOWORK=off", moduleFlags, "GOTOOLCHAIN=local"), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		m.t.Fatalf("go %s (%s): %v\n%s", strings.Join(args, " "), env, err, out)
	}
	return string(out)
}

// check adds functions TestXxx(*testing.T) to an emitted package.
func (m *module) check(pkg, text string) { m.checks = append(m.checks, check{pkg, text}) }

// testFunction finds the functions that check a package.
var testFunction = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)

// test vets the packages and runs their checks. One test binary calls all of them, since a binary
// for each package would take longer to build and link than the checks to run.
func (m *module) test() {
	m.t.Helper()
	var imports, calls strings.Builder
	imported := map[string]bool{}
	for i, c := range m.checks {
		m.write(fmt.Sprintf("%s/check%d.go", c.pkg, i), c.text)
		if !imported[c.pkg] {
			imported[c.pkg] = true
			fmt.Fprintf(&imports, "\t%q\n", "example.com/out/"+c.pkg)
		}
		for _, f := range testFunction.FindAllStringSubmatch(c.text, -1) {
			fmt.Fprintf(&calls, "\tt.Run(%q, %s.%s)\n", c.pkg+"/"+f[1], c.pkg, f[1])
		}
	}
	m.write("all_test.go", "package out\n\nimport (\n\t\"testing\"\n\n"+imports.String()+")\n\nfunc TestAll(t *testing.T) {\n"+calls.String()+"}\n")
	m.run(nil, "vet", "./...")
	m.run(nil, "test", "-vet=off", ".")
}

// small returns a network whose posteriors are easy to compute by hand.
func small() *model.Model {
	m := chain("small", variable("smoke", "yes", "no"), variable("lung cancer", "yes", "no"), variable("x-ray", "abnormal", "normal", "unclear"))
	tables := [][]float64{{0.25, 0.75}, {0.5, 0.5, 0.125, 0.875}, {0.75, 0.25, 0, 0.125, 0.875, 0}}
	for i, f := range m.Factors {
		f.Dist = &model.Table{Values: tables[i]}
	}
	return m
}

// TestGeneratedPackages vets packages of small models for each back-end and kind of parameters,
// checks their answers, and builds some of them for other platforms.
func TestGeneratedPackages(t *testing.T) {
	t.Parallel()
	m := newModule(t, fmt.Sprintf("\nrequire github.com/pgmc-go/pgmc v0.0.0\n\nreplace github.com/pgmc-go/pgmc => %s\n", irtest.ModuleRoot(t)))
	sm := small()
	p := jointProgram(sm, ir.Const, allQueries(sm)...)
	m.emit(sm, p, codegen.Options{Package: "small", Source: "models/small.bif"})
	m.check("small", useSmall("small"))
	for _, b := range codegen.Backends {
		name := "small" + b.Name
		m.emit(sm, p, codegen.Options{Package: name, Backend: b.Name})
		m.check(name, useSmall(name))
	}
	walked, err := compiler.Compile(context.Background(), sm, compiler.Options{Method: compiler.Named("circuit"), Queries: []string{"marginals", "posteriors", "logprob", "mpe", "sample",
		strconv.Quote(sm.Vars[2].Name) + " | " + strconv.Quote(sm.Vars[0].Name) + ", " + strconv.Quote(sm.Vars[1].Name)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []string{"unroll", "tape"} {
		m.emit(sm, walked.Program, codegen.Options{Package: "walked" + b, Backend: b})
		m.check("walked"+b, useSmall("walked"+b))
	}
	big := chain("big", variable("size", many(300)...), variable("weight", many(12)...))
	m.emit(big, jointProgram(big, ir.Const, allQueries(big)...), codegen.Options{Package: "big"})
	m.check("big", useBig)
	m.emit(sm, jointProgram(sm, ir.Var, allQueries(sm)...), codegen.Options{Package: "params"})
	m.check("params", useSmall("params")+useParams)
	net := markov()
	m.emit(net, jointProgram(net, ir.Var, allQueries(net)...), codegen.Options{Package: "net"})
	m.check("net", useNet)
	bins := chain("bins", variable("height", "..-1.5", "-1.5..2e-07", "2e-07..3", "3.."), variable("all", ".."))
	m.emit(bins, jointProgram(bins, ir.Const, allQueries(bins)...), codegen.Options{Package: "bins", HTTP: true})
	m.check("bins", useBins)
	fixed := jointProgram(net, ir.Const, allQueries(net)[:3]...)
	fixed.LogZ = math.Log(14)
	m.emit(net, fixed, codegen.Options{Package: "fixed"})
	m.check("fixed", useFixed)
	bounded := jointProgram(sm, ir.Const, allQueries(sm)...)
	bounded.SoftBits = 900
	m.emit(sm, bounded, codegen.Options{Package: "bounded"})
	m.check("bounded", useSmall("bounded")+useBounded)
	hidden := small()
	hidden.Vars[1].Latent = true
	m.emit(hidden, jointProgram(hidden, ir.Const, allQueries(hidden)...), codegen.Options{Package: "hidden"})
	m.check("hidden", useHidden)
	tiny := chain("tiny", variable("a", "x", "y"), variable("b", "x", "y"), variable("c", "x", "y"))
	for i, values := range [][]float64{{1, 1e-300}, {1, 0, 1, 1e-300}, {1, 0, 0, 1}} {
		tiny.Factors[i].Dist = &model.Table{Values: values}
	}
	r, err := compiler.Compile(context.Background(), tiny, compiler.Options{Queries: []string{"mpe", "kmpe=2", "map(a, c)"}})
	if err != nil {
		t.Fatal(err)
	}
	m.emit(tiny, r.Program, codegen.Options{Package: "tiny"})
	m.check("tiny", useTiny)
	tiny.NewReal("y")
	tiny.Factors = append(tiny.Factors, &model.Factor{Scope: []model.VarID{2, 3}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0, 1e6}, Var: []float64{1, 1}}})
	if r, err = compiler.Compile(context.Background(), tiny, compiler.Options{Queries: []string{"mpe"}}); err != nil {
		t.Fatal(err)
	}
	m.emit(tiny, r.Program, codegen.Options{Package: "tinyreal"})
	m.check("tinyreal", useTinyReal)
	for _, target := range []string{"linux/386", "linux/arm64", "js/wasm"} {
		t.Run(target, func(t *testing.T) {
			irtest.SkipUnlessLong(t) // each builds the standard library
			system, arch, _ := strings.Cut(target, "/")
			m.run([]string{"GOOS=" + system, "GOARCH=" + arch, "CGO_ENABLED=0"}, "build", "./small", "./big", "./params")
		})
	}
	m.test()
}

// TestImportedRuntime needs the Go version of this module, because the package imports its runtime.
func TestImportedRuntime(t *testing.T) {
	t.Parallel()
	m := newModule(t, fmt.Sprintf("\nrequire github.com/pgmc-go/pgmc v0.0.0\n\nreplace github.com/pgmc-go/pgmc => %s\n", irtest.ModuleRoot(t)))
	m.run(nil, "mod", "edit", "-go=1.26.0")
	sm := small()
	p := jointProgram(sm, ir.Const, allQueries(sm)...)
	m.emit(sm, p, codegen.Options{Package: "small", Runtime: codegen.RuntimeImport})
	m.check("small", useSmall("small"))
	m.emit(sm, p, codegen.Options{Package: "served", Runtime: codegen.RuntimeImport, HTTP: true})
	m.check("served", useHandler)
	m.test()
}

func many(n int) []string {
	states := make([]string, n)
	for i := range states {
		states[i] = fmt.Sprint("s", i)
	}
	return states
}

// markov returns a network of two potentials, the second over b alone. Z is 2*3 + 1*1 + 1*3 + 4*1 =
// 14.
func markov() *model.Model {
	m := &model.Model{Name: "net", Kind: model.Markov}
	m.NewVar("a", "x", "y")
	m.NewVar("b", "x", "y")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{0, 1}, Child: -1, Dist: &model.Table{Values: []float64{2, 1, 1, 4}}},
		{Scope: []model.VarID{1}, Child: -1, Dist: &model.Table{Values: []float64{3, 1}}},
	}
	return m
}

func TestSameBytes(t *testing.T) {
	emit := func() []byte {
		m := chain("c", variable("a", "1", "2"), variable("b", many(9)...), variable("c", "yes", "no"))
		pkg, err := codegen.Emit(m, jointProgram(m, ir.Const, allQueries(m)...), codegen.Options{Package: "c"})
		if err != nil {
			t.Fatal(err)
		}
		var all bytes.Buffer
		for _, f := range pkg.Files {
			fmt.Fprintf(&all, "== %s\n%s", f.Name, f.Data)
		}
		return all.Bytes()
	}
	if first, second := emit(), emit(); !bytes.Equal(first, second) {
		t.Error("the same model gives other bytes the second time")
	}
}

// hostile lists names that try to break out of comments, strings, struct tags and identifiers.
var hostile = []string{
	"", "1st", "<7.5", `a"b`, "a`b", "x\ny", "*/ func init() { panic(1) } /*", "//go:embed x", "//line x.go:1", "func", "Engine",
	"Evidence", "LogProb", "Sample", "logP", "LogP", "a,b", "a,omitempty", "-", "a\\", "日本", "日本", "é", "e", "E", "\u202eabc", "\xff\xfe",
	"errors.New", "math", "s", "e", "t", "at", "out", "err", "New", "Rand", "rtRescale", "Rescale", "string", "\u2028", "\r", "\x00", "type", "ReadByte",
	"Lock", "X_", "X", "AB", "A", "MarshalJSON", "Dist", "Values", "Unset", "XDist", "` + \"", "%s%d", "$GOFILE", "+build ignore",
	strings.Repeat("long", 400), " ", "json:\"x\"", "A Given B", "AGivenB", "package main",
}

func TestHostileNames(t *testing.T) {
	t.Parallel()
	states := distinct(hostile)
	for _, types := range []string{codegen.TypesOwn, codegen.TypesShared} {
		t.Run(types, func(t *testing.T) {
			t.Parallel()
			m := newModule(t, "")
			pairs := distinct(hostile)
			for i := 0; i+3 <= len(pairs); i += 3 { // three at a time, so that the joint stays small
				a, b, c := pairs[i], pairs[i+1], pairs[i+2]
				mod := chain(a, variable(a, b, c, "BC", "Unset", "Dist", ""+"x"), variable(b, "C", "Values", "DistX"), variable(c, "BC", "C", "unset"))
				opt := codegen.Options{Package: fmt.Sprint("p", i), Source: b, Types: types, Claim: c}
				m.emit(mod, jointProgram(mod, ir.Const, allQueries(mod)...), opt)
			}
			all := chain("all", variable(`A"`+"`\n", states...), variable("A", "U"))
			m.emit(all, jointProgram(all, ir.Const, allQueries(all)...), codegen.Options{Package: "all", Types: types})
			m.run(nil, "vet", "./...")
		})
	}
}

func distinct(list []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

func TestManyVariables(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	mod := &model.Model{Name: "wide"}
	b := &jointBuilder{m: mod, p: &ir.Program{Name: "wide", State: ir.NoSpan}}
	e := ir.Entry{Query: &ir.Query{Name: "all", Kind: ir.Marginals}, Exp: ir.NoSpan}
	for i := range 200 {
		v := mod.NewVar(fmt.Sprint("v", i), "yes", "no")
		in := b.span(ir.Span{Role: ir.RoleIn, Len: 2, Var: v.ID})
		out := b.span(ir.Span{Role: ir.RoleOut, Len: 2, Var: v.ID})
		b.steps = append(b.steps, &ir.Contract{Axes: []ir.Axis{{Var: v.ID, Size: 2}}, Out: ir.View{Span: out, Stride: []int{1}}, In: []ir.View{{Span: in, Stride: []int{1}}}},
			&ir.Normalize{Span: out})
		e.Outs = append(e.Outs, out)
	}
	e.Root = b.span(ir.Span{Role: ir.RoleOut, Len: 1, Var: -1})
	b.steps = append(b.steps, &ir.Contract{Out: ir.View{Span: e.Root}})
	e.Blocks = []int{b.block("all")}
	b.p.Entries = []ir.Entry{e}
	b.layout()
	m.emit(mod, b.p, codegen.Options{Package: "wide", Types: codegen.TypesShared, Backend: "tape"})
	m.write("wide/use_test.go", useWide)
	m.run(nil, "vet", "./...")
	out := m.run(nil, "test", "-v", "-bench", ".", "-benchtime", "100x", "./...")
	t.Log(out)
}

func TestHeader(t *testing.T) {
	m := small()
	pkg, err := codegen.Emit(m, jointProgram(m, ir.Const, allQueries(m)...), codegen.Options{Package: "small", Source: "/home/someone/models/small.bif"})
	if err != nil {
		t.Fatal(err)
	}
	generated := regexp.MustCompile(`^// Code generated .* DO NOT EDIT\.$`)
	for i, f := range pkg.Files {
		first, _, _ := strings.Cut(string(f.Data), "\n")
		if !generated.MatchString(first) {
			t.Errorf("%s begins with %q", f.Name, first)
		}
		if i == 0 && first != "// Code generated by pgmc codegen/4 from small.bif. DO NOT EDIT." {
			t.Errorf("%s begins with %q", f.Name, first)
		}
		if ext := filepath.Ext(f.Name); (ext == ".go" || ext == ".s") && !strings.Contains(string(f.Data), "\n//go:build "+codegen.MinGo) {
			t.Errorf("%s has no constraint of the version of Go", f.Name)
		}
	}
}

func TestOptions(t *testing.T) {
	m := small()
	p := jointProgram(m, ir.Const, allQueries(m)...)
	tests := []struct {
		name string
		opt  codegen.Options
		want string
	}{
		{"no package", codegen.Options{}, `codegen: "" can't be the name of a package`},
		{"keyword", codegen.Options{Package: "func"}, `codegen: "func" can't be the name of a package`},
		{"backend", codegen.Options{Package: "a", Backend: "x"}, `codegen: unknown back-end "x"; want auto`},
		{"types", codegen.Options{Package: "a", Types: "x"}, `codegen: unknown types mode "x"; want auto, own or shared`},
		{"runtime", codegen.Options{Package: "a", Runtime: "x"}, `codegen: unknown runtime mode "x"; want copy or import`},
		{"name of nothing", codegen.Options{Package: "a", Names: map[string]string{"y": "Y"}}, `codegen: "y" is neither a variable nor a state of one`},
		{"name is none", codegen.Options{Package: "a", Names: map[string]string{"smoke": "a b"}}, `codegen: "smoke" can't be called "a b"`},
		{"name is taken", codegen.Options{Package: "a", Names: map[string]string{"smoke": "Engine"}}, `codegen: "smoke" can't be called Engine`},
		{"names clash", codegen.Options{Package: "a", Names: map[string]string{"smoke": "X", "x-ray": "X"}}, `codegen: "x-ray" can't be called X`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := codegen.Emit(m, p, tt.opt)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got error %v; want %s", err, tt.want)
			}
		})
	}
}

func TestChosenNames(t *testing.T) {
	m := newModule(t, "")
	sm := small()
	m.emit(sm, jointProgram(sm, ir.Const, allQueries(sm)...), codegen.Options{Package: "small", Names: map[string]string{
		"smoke": "Smoker", "x-ray": "Image", "x-ray.normal": "AllClear"}})
	m.write("small/use_test.go", "package small\n\nvar _ = Evidence{Smoker: SmokerYes, Image: AllClear, LungCancer: LungCancerNo}\n")
	m.run(nil, "vet", "./...")
}
