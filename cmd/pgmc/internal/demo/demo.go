// Package demo compiles an embedded model to a Go package, builds a program around it, runs the
// program, and shows each step: pgmc in half a minute, from a clone and without a file of the
// user's. It needs the go command, and no network.
package demo

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/testdata/models"
)

// name is the embedded model, without its extension: the name of its package too.
const name = "asia"

//go:embed program.go.txt
var program []byte

// module is the go.mod of the demonstration. A generated package needs Go 1.24.
const module = "module demo\n\ngo 1.24\n"

// Run writes the demonstration to w. It keeps the module that it makes in the folder dir, which
// must not exist or be empty; with dir "" it works in a temporary folder and removes that.
func Run(ctx context.Context, w io.Writer, dir string) error {
	goCommand, err := exec.LookPath("go")
	if err != nil {
		return errors.New("the demonstration builds a Go program and finds no go command; " +
			"install Go, or put its folder on PATH")
	}
	folder, done, err := workspace(dir)
	if err != nil {
		return err
	}
	defer done()
	d := &demo{ctx: ctx, w: w, dir: folder, goCommand: goCommand}
	if err := d.model(); err != nil {
		return err
	}
	if err := d.compile(); err != nil {
		return err
	}
	if err := d.run(); err != nil {
		return err
	}
	d.next(dir)
	return nil
}

// workspace returns a folder to work in and a function that ends its use.
func workspace(dir string) (folder string, done func(), err error) {
	if dir == "" {
		folder, err = os.MkdirTemp("", "pgmc-demo-")
		return folder, func() { os.RemoveAll(folder) }, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", nil, err
	}
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s is not empty; want a new or an empty folder to keep the demonstration in", dir)
	}
	folder, absErr := filepath.Abs(dir)
	return folder, func() {}, errors.Join(err, absErr)
}

// demo is one run of the demonstration.
type demo struct {
	ctx       context.Context
	w         io.Writer
	dir       string
	goCommand string
	m         *model.Model
}

func (d *demo) printf(format string, args ...any) { fmt.Fprintf(d.w, format, args...) }

// indent writes text indented by four columns, without its last empty lines, and an empty line.
func (d *demo) indent(text []byte) {
	for line := range bytes.Lines(bytes.TrimRight(text, "\n")) {
		if line = bytes.TrimRight(line, "\n"); len(line) == 0 {
			d.printf("\n")
			continue
		}
		d.printf("    %s\n", line)
	}
	d.printf("\n")
}

// model reads the embedded model and shows its structure.
func (d *demo) model() error {
	m, err := readModel()
	if err != nil {
		return err
	}
	d.m = m
	d.printf("The model, %s.bif: %d variables of a clinic for lung diseases\n\n", name, len(m.Vars))
	b := &bytes.Buffer{}
	for _, f := range m.Factors {
		var parents []string
		for i, v := range f.Scope {
			if i != f.Child {
				parents = append(parents, m.Vars[v].Name)
			}
		}
		child := m.Vars[f.ChildVar()]
		fmt.Fprintf(b, "P(%s)", strings.TrimSuffix(child.Name+" | "+strings.Join(parents, ", "), " | "))
		fmt.Fprintf(b, "%*s%s: %s\n", 28-b.Len()+bytes.LastIndexByte(b.Bytes(), '\n')+1, "", child.Name, strings.Join(m.States(child.ID), ", "))
	}
	d.indent(b.Bytes())
	return nil
}

// readModel reads the embedded model.
func readModel() (*model.Model, error) {
	text, err := models.Files.ReadFile(name + ".bif")
	if err != nil {
		return nil, err
	}
	m, list := format.ReadFrom(compiler.Formats, name+".bif", bytes.NewReader(text), format.ReadOptions{})
	return m, list.Err()
}

// compile writes the module: the generated package, a program that uses it, and go.mod.
func (d *demo) compile() error {
	start := time.Now()
	r, err := compiler.Compile(d.ctx, d.m, compiler.Options{})
	if err != nil {
		return err
	}
	pkg, err := codegen.Emit(r.Model, r.Program, codegen.Options{Package: name, Source: name + ".bif"})
	if err != nil {
		return err
	}
	if err := pkg.WriteDir(filepath.Join(d.dir, name)); err != nil {
		return err
	}
	took := time.Since(start)
	for file, text := range map[string][]byte{"go.mod": []byte(module), "main.go": program} {
		if err := os.WriteFile(filepath.Join(d.dir, file), text, 0o666); err != nil {
			return err
		}
	}
	size := 0
	for _, f := range pkg.Files {
		size += len(f.Data)
	}
	d.printf("Compiled in %v to the Go package %s: %d files, %d KB, which import the standard library alone\n\n",
		took.Round(time.Millisecond), name, len(pkg.Files), size>>10)
	d.printf("A program that uses the package\n\n")
	d.indent(program)
	return nil
}

// run builds the program and shows its output.
func (d *demo) run() error {
	start := time.Now()
	if err := d.execute(d.w, d.goCommand, "build", "-o", "demo.exe", "."); err != nil {
		return fmt.Errorf("building the demonstration: %w", err)
	}
	d.printf("Built in %v; it prints\n\n", time.Since(start).Round(time.Millisecond))
	var out bytes.Buffer
	if err := d.execute(&out, filepath.Join(d.dir, "demo.exe")); err != nil {
		return fmt.Errorf("running the demonstration: %w", err)
	}
	d.indent(out.Bytes())
	return nil
}

// execute runs a command in the folder of the module.
func (d *demo) execute(out io.Writer, command string, args ...string) error {
	cmd := exec.CommandContext(d.ctx, command, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = d.dir, out, out
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GO111MODULE=on")
	return cmd.Run()
}

// next prints the commands to try next. kept is the folder that the user asked for, or "".
func (d *demo) next(kept string) {
	if kept != "" {
		d.printf("The module is in %s: change main.go, and go run . there\n\n", kept)
	}
	d.printf("Next, from the root of a clone\n\n")
	d.indent([]byte(`go run ./cmd/pgmc query testdata/models/asia.bif --evidence smoke=yes,xray=yes
go run ./cmd/pgmc show model testdata/models/asia.bif --svg > asia.svg
go run ./cmd/pgmc compile testdata/models/asia.bif -o asia
go run ./cmd/pgmc help
`))
}
