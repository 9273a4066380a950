package bench

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
	"sync"
	"text/template"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/timing"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/ir"
)

// The source of the program that measures packages: a driver, and a file for each package.
var (
	//go:embed driver.go.txt
	driverSource string
	//go:embed package.go.txt
	packageSource string
	//go:embed streams.go.txt
	streamsSource string
	//go:embed particles.go.txt
	particlesDriver string
)

// packageFile parses the template of a package's file.
var packageFile = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("package").Parse(packageSource))
})

// streamsFile parses the template of the file of a package of sequences.
var streamsFile = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("streams").Parse("{{if .Particles}}" + particlesDriver + "{{else}}" + streamsSource + "{{end}}"))
})

// Package is a generated package to measure.
type Package struct {
	Name      string // "auto", or the name of a back-end
	Full      bool   // the package answers all queries; otherwise LogProb alone
	Batches   bool   // batches of LogProb are measured and nothing else
	MPE       bool   // the package answers MPE
	Signature *Signature
	Smooth    bool // of a sequence: the package smooths
	Viterbi   bool // of a sequence: the package finds paths
	Particles bool // of a sequence: the package has particles in place of filters
	Steady    bool // of a sequence: steps take gains from steps before whose covariances were the same
	pkg       *codegen.Package
	program   *ir.Program
}

// Module is a Go module in its own folder that holds the packages and the program that measures
// them.
type Module struct {
	Dir string
	Env []string // variables for go and the program, in addition to our own
}

// buildModule writes the module into the existing folder dir and builds its program, which has the
// file of each package by a template, and reads the setup.
func buildModule(ctx context.Context, dir string, env []string, packages []*Package, file *template.Template, setup any) (*Module, error) {
	b := &Module{dir, env}
	data, err := json.Marshal(setup)
	if err != nil {
		return nil, err
	}
	calls := ""
	for _, p := range packages {
		var text bytes.Buffer
		if err := file.Execute(&text, p); err != nil {
			return nil, err
		}
		if err := b.Write(p.Name+"_package.go", text.Bytes()); err != nil {
			return nil, err
		}
		for _, f := range p.pkg.Files {
			if err := b.Write(filepath.Join(p.Name, f.Name), f.Data); err != nil {
				return nil, err
			}
		}
		calls += p.Name + "(&in), "
	}
	main := strings.Replace(driverSource, "/*SUBJECTS*/", strings.TrimSuffix(calls, ", "), 1)
	err = errors.Join(b.Write("go.mod", []byte("module measure\n\ngo 1.26\n")), b.Write("setup.json", data), b.Write("main.go", []byte(main)), b.WriteClock())
	if err != nil {
		return nil, err
	}
	_, _, err = b.Run(ctx, "build", "-o", b.Binary(), ".")
	return b, err
}

// Write writes a file of the module, and the folders on its path.
func (b *Module) Write(name string, data []byte) error {
	path := filepath.Join(b.Dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// WriteClock copies the clock and the sampler of package timing into the module.
func (b *Module) WriteClock() error {
	return fs.WalkDir(timing.Source, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := timing.Source.ReadFile(name)
		if err != nil {
			return err
		}
		return b.Write(filepath.Join("timing", name), data)
	})
}

// Binary returns the path of the program.
func (b *Module) Binary() string { return filepath.Join(b.Dir, "driver.exe") }

// Run runs the go command in the module and returns its standard output and the ended process.
func (b *Module) Run(ctx context.Context, args ...string) ([]byte, *os.ProcessState, error) {
	out, state, err := process.RunGo(ctx, b.Dir, b.Dir, append([]string{"GOWORK=off", "GOFLAGS="}, b.Env...), args...)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("go %s: %w", args[0], err)
	}
	return out, state, err
}

// text returns the size of the machine code of the blocks of each package, in bytes, by package
// name. It reads the symbol table of the binary.
func (b *Module) text(ctx context.Context) (map[string]int, error) {
	list, _, err := b.Run(ctx, "tool", "nm", "-size", b.Binary())
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
