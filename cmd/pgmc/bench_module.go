package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/bench"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/ir"
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
	Batches   bool   // of LogProb: nothing else is measured
	MPE       bool   // it gives best completions
	Signature *benchSignature
	pkg       *codegen.Package
	program   *ir.Program
}

// benchModule is a module with packages and the program that measures them, in a folder of its own.
type benchModule struct {
	dir string
	env []string // of go and of the program, beside our own
}

// buildBench writes and builds the program in a folder that is there.
func buildBench(ctx context.Context, dir string, env []string, packages []*benchPackage, e *benchEvidence) (*benchModule, error) {
	b := &benchModule{dir, env}
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
	out, state, err := process.RunGo(ctx, b.dir, b.dir, append([]string{"GOWORK=off", "GOFLAGS="}, b.env...), args...)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("go %s: %w", args[0], err)
	}
	return out, state, err
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
