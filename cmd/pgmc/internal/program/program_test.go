package program_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/clitest"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/program"
	"github.com/pgmc-go/pgmc/codegen"
)

func TestMain(m *testing.M) { os.Exit(clitest.Run(m, "../../testdata/goenv")) }

// main answers each line with the package's greeting of it.
const main = `package main

import (
	"bufio"
	"fmt"
	"os"

	pkg "query/compiled"
)

func main() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		fmt.Println(pkg.Greet(lines.Text()))
	}
}
`

const greeting = "package compiled\n\nfunc Greet(name string) string { return \"hello \" + name }\n"

func pkg(text string) *codegen.Package {
	return &codegen.Package{Files: []codegen.File{{Name: "compiled.go", Data: []byte(text)}}}
}

// TestNew asks a program twice.
func TestNew(t *testing.T) {
	p, err := program.New(t.Context(), pkg(greeting), []byte(main))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	ask(t, p)
}

// ask starts a program and compares its answers.
func ask(t *testing.T, p *program.Program) {
	t.Helper()
	s, err := p.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, name := range []string{"asia", "alarm"} {
		if line, err := s.Ask(name); line != "hello "+name || err != nil {
			t.Errorf("found %q, error %v", line, err)
		}
	}
}

// TestBroken checks the error of a package that does not build.
func TestBroken(t *testing.T) {
	_, err := program.New(t.Context(), pkg("package compiled\n"), []byte(main))
	if err == nil || !strings.HasPrefix(err.Error(), "go build of the compiled package: ") || !strings.Contains(err.Error(), "undefined: pkg.Greet") {
		t.Errorf("error %v", err)
	}
}

// TestInPlace builds a program over a package in its own module, in which it writes nothing.
func TestInPlace(t *testing.T) {
	if err := process.NeedGo(); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/own\n\ngo 1.26\n", "greet/greet.go": strings.Replace(greeting, "package compiled", "package greet", 1)} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := program.NewInPlace(t.Context(), filepath.Join(dir, "greet"), []byte(main))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	ask(t, p)
	if list, err := os.ReadDir(filepath.Join(dir, "greet")); err != nil || len(list) != 1 {
		t.Errorf("the folder of the package has %v, %v; want its file alone", list, err)
	}
	if _, err := program.NewInPlace(t.Context(), t.TempDir(), []byte(main)); err == nil || !strings.HasPrefix(err.Error(), "go list in ") {
		t.Errorf("error %v of a folder without a package", err)
	}
}
