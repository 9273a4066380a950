package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/clitest"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/learn/learner"
)

func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"pgmc": main, "measure": measure})
}

// tests runs the tests of the package, with the settings for the go command.
type tests struct{ *testing.M }

func (m tests) Run() int { return clitest.Run(m.M, "testdata/goenv") }

func TestScripts(t *testing.T) { runScripts(t, "testdata/script", "") }

// TestSharedScripts runs the scripts that need large networks.
func TestSharedScripts(t *testing.T) { runScripts(t, "testdata/shared", irtest.Shared(t)) }

func runScripts(t *testing.T, dir, shared string) {
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("found %d scripts in %s: %v", len(files), dir, err)
	}
	root := irtest.ModuleRoot(t)
	setup := func(env *testscript.Env) error {
		env.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
		env.Setenv("GOWORK", "off")
		env.Setenv("GOFLAGS", "")
		env.Setenv("GOENV", os.Getenv("GOENV"))
		env.Setenv("ROOT", root)
		env.Setenv("MODELS", filepath.Join(root, "testdata", "models"))
		env.Setenv("SHARED", shared)
		return nil
	}
	for _, file := range files {
		testscript.Run(t, testscript.Params{Files: []string{file}, Setup: setup, Condition: func(name string) (bool, error) {
			switch name {
			case "root":
				return os.Getuid() == 0, nil
			case "long":
				return irtest.Long(script{t, filepath.Base(file)}), nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		}})
	}
}

// script is a script as a test, which shares of the long tests know by its own name.
type script struct {
	*testing.T
	file string
}

func (s script) Name() string { return s.T.Name() + "/" + s.file }

func TestInternalError(t *testing.T) {
	var stderr bytes.Buffer
	a := &app{&cli.App{Args: []string{"compile", "a b.bif"}, Stderr: &stderr, Command: "pgmc compile", Stage: "lower"}}
	if code := a.ExitCode(cli.Guard(func() error { panic("no such span") })); code != cli.ExitInternal {
		t.Errorf("exit code %d; want %d", code, cli.ExitInternal)
	}
	each := func() error { learner.Each(2, 9, panics); return nil }
	if code := a.ExitCode(cli.Guard(each)); code != cli.ExitInternal {
		t.Errorf("exit code %d; want %d", code, cli.ExitInternal)
	}
	broken := fmt.Errorf("query %q: %w", "best", &compiler.InvariantError{Err: errors.New("no such block")})
	if code := a.ExitCode(a.CompileError("a b.bif", broken)); code != cli.ExitInternal {
		t.Errorf("exit code %d; want %d", code, cli.ExitInternal)
	}
	for _, want := range []string{"internal error in pgmc compile, lower: no such span", "report", "pgmc compile 'a b.bif'",
		`internal error in pgmc compile, lower: query "best": no such block`,
		"internal error in pgmc compile, lower: in a goroutine", "pgmc.panics("} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("stderr lacks %q:\n%s", want, &stderr)
		}
	}
}

func panics(i int) {
	if i == 8 {
		panic("in a goroutine")
	}
}

func TestByteSize(t *testing.T) {
	for _, c := range []struct {
		text  string
		want  cli.ByteSize
		shown string
	}{
		{"2GiB", 2 << 30, "2GiB"}, {"512MiB", 512 << 20, "512MiB"}, {"1.5KiB", 1536, "1536"}, {"1MB", 1e6, "1000000"}, {"77", 77, "77"}, {"8B", 8, "8"},
	} {
		var b cli.ByteSize
		if err := b.Set(c.text); err != nil || b != c.want || b.String() != c.shown {
			t.Errorf("%s gives %d, shown as %s, %v; want %d, %s", c.text, int64(b), b.String(), err, int64(c.want), c.shown)
		}
	}
	for _, text := range []string{"", "x", "-1", "0", "NaN", "Inf", "GiB", "1e30GiB", "2 PiB"} {
		if b := cli.ByteSize(5); b.Set(text) == nil {
			t.Errorf("%q gives %d; want an error", text, int64(b))
		}
	}
}

func TestPackageName(t *testing.T) {
	for path, want := range map[string]string{
		"asia.bif": "asia", "x/ALARM-2.bif.gz": "alarm2", "4sats.bif": "model4sats", "func.bif": "modelfunc", "main.bif": "modelmain", "été.bif": "t", "日.bif": "model",
	} {
		if got := codegen.PackageName(cli.ModelName(path)); got != want {
			t.Errorf("%s gives %s; want %s", path, got, want)
		}
	}
}

func TestSplitFlag(t *testing.T) {
	got, err := diag.SplitNames(`A=yes, "B, =" = "n\"o" ,C`)
	want := [][]string{{"A", "yes"}, {"B, =", `n"o`}, {"C"}}
	if err != nil || len(got) != len(want) {
		t.Fatal(got, err)
	}
	for i := range want {
		if strings.Join(got[i], "\x00") != strings.Join(want[i], "\x00") {
			t.Errorf("part %d is %q; want %q", i, got[i], want[i])
		}
	}
	for _, bad := range []string{"", "=", "A=", ",A", "A,", `"A`, `"A"B`, "A=B=", `A"B"`} {
		if got, err := diag.SplitNames(bad); err == nil {
			t.Errorf("%q gives %q; want an error", bad, got)
		}
	}
}

// failing is a writer that always fails.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestOutputFails(t *testing.T) {
	var stderr bytes.Buffer
	model := filepath.Join(irtest.ModuleRoot(t), "testdata", "models", "asia.bif")
	if code := run([]string{"query", model}, os.Stdin, failing{}, &stderr); code != cli.ExitInput || !strings.Contains(stderr.String(), "disk full") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
}
