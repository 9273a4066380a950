package rows

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/codegen"
)

// The source of the program that runs a compiled package: its main file, and the files that it
// shares with this package.
var (
	//go:embed driver.go.txt
	driverSource []byte
	//go:embed rows.go server.go lines.go port.go parse.go further.go write.go
	sharedSources embed.FS
)

// Driver is a built program that answers rows by a compiled package.
type Driver struct {
	dir string // its files
}

// NewDriver builds the program for a package, which must be called "compiled".
func NewDriver(ctx context.Context, pkg *codegen.Package, vars []Variable, want Wanted) (*Driver, error) {
	return NewProgram(ctx, pkg, DriverFiles(vars, want))
}

// DriverFiles returns the files of the program that answers rows.
func DriverFiles(vars []Variable, want Wanted) Source {
	return func(path string) ([]codegen.File, error) { return driverFiles(path, vars, want) }
}

// Source returns the files of a program that runs the package with the given import path.
type Source func(path string) ([]codegen.File, error)

// NewProgram builds a program that runs a package, which must be called "compiled".
func NewProgram(ctx context.Context, pkg *codegen.Package, source Source) (*Driver, error) {
	return newDriver("pgmc-query-", func(d *Driver) error { return d.build(ctx, pkg, source) })
}

// newDriver makes a folder for a program, and builds it.
func newDriver(folder string, build func(*Driver) error) (*Driver, error) {
	if err := process.NeedGo(); err != nil {
		return nil, fmt.Errorf("running a compiled package: %w", err)
	}
	dir, err := os.MkdirTemp("", folder)
	if err != nil {
		return nil, err
	}
	d := &Driver{dir}
	if err := build(d); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// Close removes the program.
func (d *Driver) Close() { os.RemoveAll(d.dir) }

func (d *Driver) build(ctx context.Context, pkg *codegen.Package, source Source) error {
	files, err := source("query/compiled")
	if err != nil {
		return err
	}
	files = append(files, codegen.File{Name: "go.mod", Data: []byte("module query\n\ngo 1.26\n")})
	for _, f := range pkg.Files {
		files = append(files, codegen.File{Name: filepath.Join("compiled", f.Name), Data: f.Data})
	}
	if err := os.Mkdir(filepath.Join(d.dir, "compiled"), 0o755); err != nil {
		return err
	}
	if err := d.writeFiles(files); err != nil {
		return err
	}
	return d.goBuild(ctx, d.dir, []string{"GOWORK=off", "GOFLAGS="}, ".")
}

// driverFiles returns the files of the program for the package with the given import path.
func driverFiles(path string, vars []Variable, want Wanted) ([]codegen.File, error) {
	setup, err := json.Marshal(struct {
		Vars []Variable `json:"vars"`
		Want Wanted     `json:"want"`
	}{vars, want})
	main := bytes.Replace(driverSource, []byte(`"query/compiled"`), []byte(strconv.Quote(path)), 1)
	if err != nil {
		return nil, err
	}
	files := []codegen.File{{Name: "main.go", Data: main}, {Name: "setup.json", Data: setup}}
	shared, err := sharedSources.ReadDir(".")
	for _, f := range shared {
		source, err := sharedSources.ReadFile(f.Name())
		if err != nil {
			return nil, err
		}
		files = append(files, codegen.File{Name: f.Name(), Data: asMain(source)})
	}
	return files, err
}

// asMain returns a file of this package as a file of package main.
func asMain(source []byte) []byte {
	return bytes.Replace(source, []byte("package rows\n"), []byte("package main\n"), 1)
}

func (d *Driver) writeFiles(files []codegen.File) error {
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(d.dir, f.Name), f.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// goBuild builds the program with the go command in the folder dir.
func (d *Driver) goBuild(ctx context.Context, dir string, env []string, args ...string) error {
	_, _, err := process.RunGo(ctx, d.dir, dir, env, append([]string{"build", "-o", d.binary()}, args...)...)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("go build of the compiled package: %w", err)
	}
	return err
}

// binary returns the path of the program. Windows needs the extension; other systems ignore it.
func (d *Driver) binary() string { return filepath.Join(d.dir, "driver.exe") }

// Serve answers the lines of in. in should be a file or in memory: otherwise Serve waits for in
// even if the program has been killed. The error is that of [Server.Serve].
func (d *Driver) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	cmd := exec.CommandContext(ctx, d.binary())
	var problem bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, &problem
	err := cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if some := (FailedError{}); cmd.ProcessState.ExitCode() == someFailed {
		if _, err := fmt.Sscan(problem.String(), &some.Failed, &some.Rows); err == nil {
			return &some
		}
	}
	if err != nil {
		return fmt.Errorf("the compiled program: %w: %s", err, bytes.TrimSpace(problem.Bytes()))
	}
	return nil
}

// NewProgramInPlace builds a program in the module of the package in dir. An overlay adds its
// files, so that nothing is written to dir.
func NewProgramInPlace(ctx context.Context, dir string, source Source) (*Driver, error) {
	return newDriver("pgmc-verify-", func(d *Driver) error { return d.buildInPlace(ctx, dir, source) })
}

// buildInPlace builds the program by an overlay over the package in dir.
func (d *Driver) buildInPlace(ctx context.Context, dir string, source Source) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	list := exec.CommandContext(ctx, "go", "list", "-f", "{{.ImportPath}}", ".")
	list.Dir = dir
	path, err := list.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return fmt.Errorf("go list in %s: %w\n%s", dir, err, bytes.TrimSpace(exit.Stderr))
		}
		return err
	}
	files, err := source(strings.TrimSpace(string(path)))
	if err != nil {
		return err
	}
	if err := d.writeFiles(files); err != nil {
		return err
	}
	const folder = "pgmcverify" // exists in the overlay only
	overlay := map[string]map[string]string{"Replace": {}}
	for _, f := range files {
		overlay["Replace"][filepath.Join(dir, folder, f.Name)] = filepath.Join(d.dir, f.Name)
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return err
	}
	file := filepath.Join(d.dir, "overlay.json")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return err
	}
	return d.goBuild(ctx, dir, nil, "-overlay", file, "./"+folder)
}
