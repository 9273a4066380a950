package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
)

// downstream is testdata/downstream: modules that use pgmc as others do. gen runs the compiler, app uses what it made and
// requires nothing, imported uses packages that import the runtime, and wasm runs WebAssembly.
func downstream(t *testing.T, module string) string {
	if testing.Short() {
		t.Skip("builds the modules in testdata/downstream")
	}
	return filepath.Join(irtest.ModuleRoot(t), "testdata", "downstream", module)
}

// goCommand runs the go command in a folder with the toolchain and the modules at hand.
func goCommand(t *testing.T, dir string, env []string, args ...string) []byte {
	t.Helper()
	out, err := goRun(dir, env, args...)
	if err != nil {
		t.Fatalf("%s go %s, in %s: %v\n%s", strings.Join(env, " "), strings.Join(args, " "), dir, err, out)
	}
	return out
}

func goRun(dir string, env []string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off", "GOTOOLCHAIN=local", "PWD="+dir), env...)
	return cmd.CombinedOutput()
}

// TestDownstreamFresh runs go generate in a copy from which generated files are left out.
func TestDownstreamFresh(t *testing.T) {
	committed := downstream(t, "")
	root, dir := irtest.ModuleRoot(t), t.TempDir()
	for _, from := range []string{"testdata/models", "testdata/downstream"} {
		copyTree(t, filepath.Join(root, from), filepath.Join(dir, from))
	}
	gen := filepath.Join(dir, "testdata", "downstream", "gen")
	goCommand(t, gen, nil, "mod", "edit", "-replace=github.com/pgmc-go/pgmc="+root)
	if out, err := goRun(gen, nil, "generate", "./..."); err != nil {
		t.Fatalf("go generate in testdata/downstream/gen: %v (after a change of go.mod, run go mod tidy there)\n%s", err, out)
	}
	fresh := generatedIn(t, filepath.Join(dir, "testdata", "downstream"))
	want := generatedIn(t, committed)
	if len(fresh) == 0 {
		t.Error("go generate made nothing")
	}
	for _, name := range slices.Sorted(maps.Keys(fresh)) {
		if !bytes.Equal(fresh[name], want[name]) {
			t.Errorf("%s is stale or missing; run go generate in testdata/downstream/gen", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if fresh[name] == nil {
			t.Errorf("%s is committed, and go generate does not make it", name)
		}
	}
}

// copyTree copies the files of a folder that pgmc did not make.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || hasMark(path) {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, rel)), 0o755); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// generatedIn reads the files below a folder that pgmc made.
func generatedIn(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !hasMark(path) {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		files[rel], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestDownstreamApp checks the service with the language version of its go.mod, which is older than ours.
func TestDownstreamApp(t *testing.T) {
	app := downstream(t, "app")
	if _, err := os.Stat(filepath.Join(app, "go.sum")); err == nil {
		t.Error("app has a go.sum; it should require nothing")
	}
	if mods := strings.Fields(string(goCommand(t, app, nil, "list", "-m", "all"))); len(mods) != 1 {
		t.Errorf("app needs the modules %v; want itself only", mods)
	}
	goCommand(t, app, nil, "vet", "./...")
	goCommand(t, app, nil, "test", "./...")
	if out := goCommand(t, app, nil, "test", "-run", "xxx", "-bench", ".", "-benchtime", "1x", "."); !bytes.Contains(out, []byte("BenchmarkAnswer")) {
		t.Errorf("no benchmark ran:\n%s", out)
	}
	checkProgram(t, app, nil)
}

func TestDownstreamImported(t *testing.T) {
	dir := downstream(t, "imported")
	goCommand(t, dir, nil, "vet", "./...")
	goCommand(t, dir, nil, "test", "./...")
}

// TestDownstreamBuilds builds the service for platforms that this machine need not be able to run.
func TestDownstreamBuilds(t *testing.T) {
	app := downstream(t, "app")
	for _, platform := range []string{"linux/arm64", "windows/amd64"} {
		t.Run(platform, func(t *testing.T) { goCommand(t, app, target(platform), "build", "./...") })
	}
}

// TestDownstreamPlatforms also runs the service, which compares its answers with stored ones: all but logarithms are the same
// to the last bit everywhere.
func TestDownstreamPlatforms(t *testing.T) {
	app := downstream(t, "app")
	for _, c := range []struct {
		platform string
		runner   func(*testing.T) []string
	}{{"linux/386", run386}, {"js/wasm", runNode}, {"wasip1/wasm", runWazero}} {
		t.Run(c.platform, func(t *testing.T) {
			env := target(c.platform)
			goCommand(t, app, env, "build", "./...")
			command := c.runner(t)
			goCommand(t, app, env, "test", "-exec", strings.Join(command, " "), ".")
			checkProgram(t, app, env, command...)
		})
	}
}

// target is the environment that builds for a platform.
func target(platform string) []string {
	system, arch, _ := strings.Cut(platform, "/")
	return []string{"GOOS=" + system, "GOARCH=" + arch, "CGO_ENABLED=0"}
}

func run386(t *testing.T) []string {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "386" {
		t.Skip("this machine does not run 386 programs")
	}
	return nil
}

func runNode(t *testing.T) []string {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not in PATH")
	}
	root := strings.TrimSpace(string(goCommand(t, ".", nil, "env", "GOROOT")))
	return []string{"node", filepath.Join(root, "lib", "wasm", "wasm_exec_node.js")}
}

func runWazero(t *testing.T) []string {
	dir := downstream(t, "wasm")
	if out, err := goRun(dir, nil, "mod", "download"); err != nil { // without the network: it looks whether they are there
		t.Skipf("wazero is not at hand; run go mod download in testdata/downstream/wasm\n%s", out)
	}
	goCommand(t, dir, nil, "vet", ".")
	program := filepath.Join(t.TempDir(), "wasm.exe")
	goCommand(t, dir, nil, "build", "-o", program, ".")
	return []string{program}
}

// checkProgram builds the service, puts the stored requests to it, and checks a posterior that is known.
func checkProgram(t *testing.T, app string, env []string, runner ...string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "clinic.exe")
	goCommand(t, app, env, "build", "-o", program, ".")
	requests, err := os.Open(filepath.Join(app, "testdata", "requests.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer requests.Close()
	command := append(runner, program)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stderr = requests, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", command, err)
	}
	var first struct {
		Chest struct{ Xray []float64 }
	}
	line, _, _ := bytes.Cut(out, []byte("\n"))
	const want = 0.11029004 // by hand: 0.98*0.064828 + 0.05*0.935172
	if err := json.Unmarshal(line, &first); err != nil || len(first.Chest.Xray) != 2 || math.Abs(first.Chest.Xray[0]-want) > 1e-12 {
		t.Errorf("the program says %s, %v; want a P(xray=yes) of %v", line, err, want)
	}
	if n := bytes.Count(out, []byte("\n")); n != 8 {
		t.Errorf("the program gives %d answers; want 8", n)
	}
}
