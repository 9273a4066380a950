// Package clitest makes what tests of commands share: a command whose output is kept, files, and a
// small network.
package clitest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Run runs the tests of a package with the file cmd/pgmc/testdata/goenv, given by its relative
// path, as the settings of the go command, which the processes that tests start inherit. It sets
// GOFLAGS also for commands that set it to nothing. With -trimpath the build cache keys packages by import
// path and content, so that a second run of the tests finds what the first one built in other
// temporary folders. Without debugging information (-w) linking takes two thirds of the time.
func Run(m *testing.M, settings string) int {
	path, err := filepath.Abs(settings)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err == nil {
		err = os.Setenv("GOENV", path)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// App returns a command with the default limits, and what it prints to standard output and to
// standard error.
func App() (a *cli.App, out, problems *bytes.Buffer) {
	out, problems = &bytes.Buffer{}, &bytes.Buffer{}
	return &cli.App{Stdin: &bytes.Buffer{}, Stdout: out, Stderr: problems, MaxMem: compiler.DefaultMaxMem, MaxTable: compiler.DefaultMaxTable}, out, problems
}

// File writes a file for the time of a test, and returns its path.
func File(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Rain is a network of two variables, wet and its parent rain, in the format of BIF. It has
// P(rain) = 0.25, P(wet | rain) = 1 and P(wet | no rain) = 0.5.
const Rain = `network rain {}
variable rain { type discrete [2] { yes, no }; }
variable wet { type discrete [2] { yes, no }; }
probability (rain) { table 0.25, 0.75; }
probability (wet | rain) { (yes) 1, 0; (no) 0.5, 0.5; }
`

// Model reads a network in the format of BIF or in JSON.
func Model(t *testing.T, text string) *model.Model {
	t.Helper()
	a, _, _ := App()
	name := "model.bif"
	if text[0] == '{' {
		name = "model.json"
	}
	m, err := a.Load(t.Context(), File(t, name, text), "")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Tank is a network of a switch, a normal variable and one that depends on both, in JSON.
const Tank = `{"pgmc": 2, "kind": "bayes",
 "variables": [{"name": "s", "states": ["good", "bad"]}, {"name": "x", "real": true}, {"name": "y", "real": true}],
 "factors": [
  {"scope": ["s"], "child": "s", "table": [0.75, 0.25]},
  {"scope": ["x"], "child": "x", "gaussian": {"mean": [1], "var": [4]}},
  {"scope": ["s", "x", "y"], "child": "y", "gaussian": {"mean": [0, 0], "coef": [1, 1], "var": [0.25, 16]}}]}`

// ModelFlags returns the flags of a model with their defaults.
func ModelFlags() (f cli.ModelFlags) {
	f.AddTo(&cobra.Command{})
	return f
}
