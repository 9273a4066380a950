package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/bench"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The source of the program that measures packages: a driver, and a file for each package.
var (
	//go:embed bench_driver.go.txt
	benchDriver string
	//go:embed bench_package.go.txt
	benchPackageText string

	benchPackageFile = template.Must(template.New("package").Parse(benchPackageText))
)

// benchPackage is a generated package to measure.
type benchPackage struct {
	Name      string // "auto", or that of a back-end
	Full      bool   // it answers all queries; otherwise LogProb alone
	Signature *benchSignature
	pkg       *codegen.Package
	program   *ir.Program
}

// benchSignature is how a declared signature of two variables is called.
type benchSignature struct {
	Method string
	Types  []string
	States []int
}

// benchModule is a module with packages and the program that measures them, in a folder of its own.
type benchModule struct {
	dir      string
	packages []*benchPackage
}

// buildBench writes and builds the program in a folder that is there.
func buildBench(ctx context.Context, dir string, packages []*benchPackage, e *benchEvidence) (*benchModule, error) {
	b := &benchModule{dir, packages}
	setup, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	calls := ""
	for _, p := range packages {
		var text bytes.Buffer
		if err := benchPackageFile.Execute(&text, p); err != nil {
			return nil, err
		}
		if err := b.write(p.Name+"_package.go", text.Bytes()); err != nil {
			return nil, err
		}
		for _, f := range p.pkg.Files {
			if err := b.write(filepath.Join(p.Name, f.Name), f.Data); err != nil {
				return nil, err
			}
		}
		calls += p.Name + "(&in), "
	}
	main := strings.Replace(benchDriver, "/*SUBJECTS*/", strings.TrimSuffix(calls, ", "), 1)
	err = errors.Join(b.write("go.mod", []byte("module measure\n\ngo 1.26\n")), b.write("setup.json", setup), b.write("main.go", []byte(main)), b.writeClock())
	if err != nil {
		return nil, err
	}
	_, _, err = b.run(ctx, "build", "-o", b.binary(), ".")
	return b, err
}

func (b *benchModule) write(name string, data []byte) error {
	path := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// writeClock copies the clock and the sampler.
func (b *benchModule) writeClock() error {
	return fs.WalkDir(bench.Source, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := bench.Source.ReadFile(name)
		if err != nil {
			return err
		}
		return b.write(filepath.Join("bench", name), data)
	})
}

func (b *benchModule) binary() string { return filepath.Join(b.dir, "driver.exe") }

func (b *benchModule) run(ctx context.Context, args ...string) ([]byte, *os.ProcessState, error) {
	out, state, err := runGo(ctx, b.dir, b.dir, []string{"GOWORK=off", "GOFLAGS="}, args...)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("go %s: %w", args[0], err)
	}
	return out, state, err
}

// buildCost measures building a package: CPU seconds beside those of a build with nothing to do, and the most memory of a process.
// Each time, a file of the package changes. Of some builds the least count.
func (b *benchModule) buildCost(ctx context.Context, p *benchPackage, times int) (seconds float64, memory int64, err error) {
	file := filepath.Join(p.Name, p.pkg.Files[0].Name)
	var built, idle bench.Series
	for i := range times {
		changed := fmt.Appendf(bytes.Clone(p.pkg.Files[0].Data), "\n// build %d\n", i)
		if err := b.write(file, changed); err != nil {
			return 0, 0, err
		}
		for _, series := range []*bench.Series{&built, &idle} {
			_, state, err := b.run(ctx, "build", "./"+p.Name)
			if err != nil {
				return 0, 0, err
			}
			series.Add((state.UserTime() + state.SystemTime()).Seconds())
			if peak := bench.PeakMemory(state); series == &built && (memory == 0 || peak < memory) {
				memory = peak
			}
		}
	}
	return max(0, built.Min()-idle.Min()), memory, nil
}

// text gives the bytes of machine code of the blocks of each package, by its name.
func (b *benchModule) text(ctx context.Context) (map[string]int, error) {
	list, _, err := b.run(ctx, "tool", "nm", "-size", b.binary())
	if err != nil {
		return nil, err
	}
	sizes := map[string]int{}
	for line := range strings.Lines(string(list)) {
		words := strings.Fields(line) // address, size, type, name
		if len(words) < 4 || words[2] != "T" && words[2] != "t" {
			continue
		}
		path, name, ok := strings.Cut(words[3], ".")
		pkg, ours := strings.CutPrefix(path, "measure/")
		if !ok || !ours || !strings.HasPrefix(strings.TrimPrefix(name, "(*Engine)."), "block") {
			continue
		}
		n, err := strconv.Atoi(words[1])
		if err != nil {
			return nil, fmt.Errorf("go tool nm: %q", line)
		}
		sizes[pkg] += n
	}
	return sizes, nil
}

// signatureSpec declares a signature whose answers are few enough for a lookup table: of the three variables with the fewest states, the
// first given the others. It is empty for a model that has no three.
func signatureSpec(m *model.Model) (spec string, given []model.VarID) {
	var chosen []model.VarID
	for states := 2; states <= 16 && len(chosen) < 3; states++ {
		for _, v := range observable(m) {
			if m.Card(v) == states && len(chosen) < 3 {
				chosen = append(chosen, v)
			}
		}
	}
	if len(chosen) < 3 {
		return "", nil
	}
	name := func(v model.VarID) string { return strconv.Quote(m.Vars[v].Name) }
	return name(chosen[0]) + " | " + name(chosen[1]) + ", " + name(chosen[2]), chosen[1:]
}

// findSignature finds the method of the declared signature in a package: the only one whose arguments are states.
func findSignature(pkg *codegen.Package, m *model.Model, given []model.VarID) (*benchSignature, error) {
	for _, f := range pkg.Files {
		if !strings.HasSuffix(f.Name, ".go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Data, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || !fn.Name.IsExported() || !strings.Contains(fn.Name.Name, "Given") {
				continue
			}
			s := &benchSignature{Method: fn.Name.Name}
			for _, field := range fn.Type.Params.List {
				if id, ok := field.Type.(*ast.Ident); ok {
					s.Types = append(s.Types, id.Name)
				}
			}
			if len(s.Types) != len(given) || fn.Type.Params.NumFields() != len(given) {
				continue
			}
			for _, v := range given {
				s.States = append(s.States, m.Card(v))
			}
			return s, nil
		}
	}
	return nil, errors.New("the package has no method for the signature")
}
