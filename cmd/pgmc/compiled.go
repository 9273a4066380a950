package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/codegen"
)

// The source of the program that runs a compiled package: a driver, and what it shares with the interpreter.
var (
	//go:embed driver.go.txt
	driverSource []byte
	//go:embed rows.go
	rowsSource []byte
	//go:embed rows_parse.go
	rowsParseSource []byte
	//go:embed rowsfurther.go
	rowsFurtherSource []byte
)

// driver is a built program that answers rows by a compiled package.
type driver struct {
	dir string // with all that belongs to it
}

// newDriver builds the program for a package, which must be called "compiled".
func newDriver(ctx context.Context, pkg *codegen.Package, vars []variable, want wanted) (*driver, error) {
	if err := process.NeedGo(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "pgmc-query-")
	if err != nil {
		return nil, err
	}
	d := &driver{dir}
	if err := d.build(ctx, pkg, vars, want); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// close removes the program.
func (d *driver) close() { os.RemoveAll(d.dir) }

func (d *driver) build(ctx context.Context, pkg *codegen.Package, vars []variable, want wanted) error {
	files, err := driverFiles("query/compiled", vars, want)
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

// driverFiles are the files of the program for the package of a path.
func driverFiles(path string, vars []variable, want wanted) ([]codegen.File, error) {
	setup, err := json.Marshal(struct {
		Vars []variable `json:"vars"`
		Want wanted     `json:"want"`
	}{vars, want})
	main := bytes.Replace(driverSource, []byte(`"query/compiled"`), []byte(strconv.Quote(path)), 1)
	return []codegen.File{{Name: "main.go", Data: main}, {Name: "rows.go", Data: rowsSource}, {Name: "rows_parse.go", Data: rowsParseSource},
		{Name: "rowsfurther.go", Data: rowsFurtherSource}, {Name: "setup.json", Data: setup}}, err
}

func (d *driver) writeFiles(files []codegen.File) error {
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(d.dir, f.Name), f.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// goBuild builds the program by the command go in a folder.
func (d *driver) goBuild(ctx context.Context, dir string, env []string, args ...string) error {
	_, _, err := process.RunGo(ctx, d.dir, dir, env, append([]string{"build", "-o", d.binary()}, args...)...)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("go build of the compiled package: %w", err)
	}
	return err
}

// binary is where the program lies. The extension is what Windows wants, and others don't mind.
func (d *driver) binary() string { return filepath.Join(d.dir, "driver.exe") }

// serve answers the lines of in, which should be a file or in memory: a killed program's input is waited for otherwise.
func (d *driver) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	cmd := exec.CommandContext(ctx, d.binary())
	var problem bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, &problem
	err := cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("the compiled program: %w: %s", err, bytes.TrimSpace(problem.Bytes()))
	}
	return nil
}
