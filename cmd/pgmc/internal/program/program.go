// Package program builds Go programs around generated packages, and starts them.
//
// A program has one main file of its own, which imports the package as "query/compiled". It reads
// lines on standard input and answers each with a line on standard output.
package program

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/codegen"
)

// placeholder is the import path of the package in main files.
const placeholder = "query/compiled"

// Program is a built program.
type Program struct {
	dir string // its files
}

// New builds the program of a main file around a package, which must be called "compiled".
func New(ctx context.Context, pkg *codegen.Package, main []byte) (*Program, error) {
	return build("pgmc-query-", func(p *Program) error {
		files := []codegen.File{{Name: "main.go", Data: main}, {Name: "go.mod", Data: []byte("module query\n\ngo 1.26\n")}}
		for _, f := range pkg.Files {
			files = append(files, codegen.File{Name: filepath.Join("compiled", f.Name), Data: f.Data})
		}
		for _, f := range files {
			if err := p.write(f.Name, f.Data); err != nil {
				return err
			}
		}
		return p.goBuild(ctx, p.dir, []string{"GOWORK=off", "GOFLAGS="}, ".")
	})
}

// NewInPlace builds the program of a main file in the module of the package in dir. An overlay adds
// the file, so that nothing is written to dir.
func NewInPlace(ctx context.Context, dir string, main []byte) (*Program, error) {
	return build("pgmc-verify-", func(p *Program) error { return p.overlay(ctx, dir, main) })
}

// build makes a folder for a program, and builds it.
func build(folder string, do func(*Program) error) (*Program, error) {
	if err := process.NeedGo(); err != nil {
		return nil, fmt.Errorf("running a compiled package: %w", err)
	}
	dir, err := os.MkdirTemp("", folder)
	if err != nil {
		return nil, err
	}
	p := &Program{dir}
	if err := do(p); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Close removes the program.
func (p *Program) Close() { os.RemoveAll(p.dir) }

// Start starts the program, which is killed when ctx ends.
func (p *Program) Start(ctx context.Context) (*process.Server, error) {
	return process.Start(ctx, []string{p.binary()}, nil)
}

// binary returns the path of the program. Windows needs the extension; other systems ignore it.
func (p *Program) binary() string { return filepath.Join(p.dir, "compiled.exe") }

// write writes a file of the program, and the folder that holds it.
func (p *Program) write(name string, data []byte) error {
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// goBuild builds the program with the go command in the folder dir.
func (p *Program) goBuild(ctx context.Context, dir string, env []string, args ...string) error {
	_, _, err := process.RunGo(ctx, p.dir, dir, env, append([]string{"build", "-o", p.binary()}, args...)...)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("go build of the compiled package: %w", err)
	}
	return err
}

// overlay builds the program in a folder below dir that only an overlay has.
func (p *Program) overlay(ctx context.Context, dir string, main []byte) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	path, err := importPath(ctx, dir)
	if err != nil {
		return err
	}
	if err := p.write("main.go", bytes.Replace(main, []byte(strconv.Quote(placeholder)), []byte(strconv.Quote(path)), 1)); err != nil {
		return err
	}
	const folder = "pgmcverify"
	text, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(dir, folder, "main.go"): filepath.Join(p.dir, "main.go")}})
	if err != nil {
		return err
	}
	if err := p.write("overlay.json", text); err != nil {
		return err
	}
	return p.goBuild(ctx, dir, nil, "-overlay", filepath.Join(p.dir, "overlay.json"), "./"+folder)
}

// importPath returns the import path of the package in dir.
func importPath(ctx context.Context, dir string) (string, error) {
	list := exec.CommandContext(ctx, "go", "list", "-f", "{{.ImportPath}}", ".")
	list.Dir = dir
	path, err := list.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return "", fmt.Errorf("go list in %s: %w\n%s", dir, err, bytes.TrimSpace(exit.Stderr))
	}
	return string(bytes.TrimSpace(path)), err
}
