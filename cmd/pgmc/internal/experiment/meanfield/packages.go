package meanfield

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"text/template"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/bench"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/codegen"
)

// The source of the program that runs packages: its main file, a file for each package, and the
// file that it shares with this package.
var (
	//go:embed driver.go.txt
	driverSource string
	//go:embed package.go.txt
	packageSource string
	//go:embed ask.go
	sharedSource string
)

// packageFile parses the template of a package's file.
var packageFile = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("package").Parse(packageSource))
})

// packages answers by compiled packages in one program.
type packages struct {
	dir    string
	server *process.Server
}

// packageData holds the values of the template.
type packageData struct{ Name, Call string }

// newPackages emits and builds the packages, and starts the program that runs them, with one worker
// a core for each package.
func newPackages(ctx context.Context, a *cli.App, programs []program, cores int) (*packages, error) {
	if err := process.NeedGo(); err != nil {
		return nil, fmt.Errorf("running packages: %w; or choose --engine interp", err)
	}
	dir, err := os.MkdirTemp("", "pgmc-experiment-")
	if err != nil {
		return nil, err
	}
	x := &packages{dir: dir}
	if err := x.start(ctx, a, programs, cores); err != nil {
		x.close()
		return nil, err
	}
	return x, nil
}

func (x *packages) start(ctx context.Context, a *cli.App, programs []program, cores int) error {
	b := &bench.Module{Dir: x.dir}
	calls := ""
	for i, p := range programs {
		name := fmt.Sprint("program", i)
		pkg, err := a.Emit(ctx, p.r, codegen.Options{Package: name, Source: p.name, Types: codegen.TypesShared})
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		var text bytes.Buffer
		call := ""
		if by := cli.Approximate(p.method); by != nil {
			call = by.Answers.GoName
		}
		if err := packageFile().Execute(&text, packageData{name, call}); err != nil {
			return err
		}
		if err := b.Write(name+"_worker.go", text.Bytes()); err != nil {
			return err
		}
		for _, f := range pkg.Files {
			if err := b.Write(filepath.Join(name, f.Name), f.Data); err != nil {
				return err
			}
		}
		calls += "new_" + name + ", "
	}
	own := strings.Replace(strings.Replace(sharedSource, "package meanfield", "package main", 1), `"github.com/pgmc-go/pgmc/cmd/pgmc/internal/timing"`, `"measure/timing"`, 1)
	for _, f := range [][2]string{{"go.mod", "module measure\n\ngo 1.26\n"}, {"ask.go", own},
		{"main.go", strings.Replace(driverSource, "/*PROGRAMS*/", strings.TrimSuffix(calls, ", "), 1)}} {
		if err := b.Write(f[0], []byte(f[1])); err != nil {
			return err
		}
	}
	if err := b.WriteClock(); err != nil {
		return err
	}
	if _, _, err := b.Run(ctx, "build", "-o", b.Binary(), "."); err != nil {
		return err
	}
	var err error
	x.server, err = process.Start(ctx, []string{b.Binary(), strconv.Itoa(cores)}, nil)
	return err
}

// request is a line to the program: queries to one package.
type request struct {
	Program   int     `json:"program"`
	Effort    Effort  `json:"effort"`
	Questions []Query `json:"questions"`
}

func (x *packages) ask(ctx context.Context, program int, qs []Query, e Effort) ([]Answer, error) {
	question, err := json.Marshal(request{program, e, qs})
	if err != nil {
		return nil, err
	}
	line, err := x.server.Ask(string(question))
	if err != nil {
		return nil, err
	}
	var answers []Answer
	if err := json.Unmarshal([]byte(line), &answers); err != nil || len(answers) != len(qs) {
		return nil, fmt.Errorf("the program prints %.100q; want %d answers", line, len(qs))
	}
	return answers, ctx.Err()
}

func (x *packages) close() error {
	if x.server != nil {
		x.server.Close() // a failure has been reported by ask
	}
	return os.RemoveAll(x.dir)
}
