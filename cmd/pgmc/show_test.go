package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
)

// TestDrawings draws every picture and checks that it is XML and the same each time.
func TestDrawings(t *testing.T) {
	for _, what := range []string{"model", "tree", "circuit"} {
		code, out, stderr := pgmc("", "show", what, asia(t), "--svg")
		if code != cli.ExitDone || stderr != "" {
			t.Errorf("show %s: exit code %d, %s", what, code, stderr)
		}
		for d := xml.NewDecoder(bytes.NewReader([]byte(out))); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("show %s: %v", what, err)
			}
		}
		if _, again, _ := pgmc("", "show", what, asia(t), "--svg"); again != out {
			t.Errorf("show %s draws one picture and then another", what)
		}
	}
}

// TestWideBlanket checks that pgmc refuses to list the Markov blankets of a factor over many
// variables.
func TestWideBlanket(t *testing.T) {
	var text, scope strings.Builder
	text.WriteString("network x {}\n")
	for i := range 2000 {
		fmt.Fprintf(&text, "variable v%d { type discrete [ 1 ] { s }; } probability ( v%d ) { table 1; }\n", i, i)
		fmt.Fprintf(&scope, ", v%d", i)
	}
	fmt.Fprintf(&text, "variable c { type discrete [ 1 ] { s }; } probability ( c | %s ) { table 1; }\n", scope.String()[2:])
	file := filepath.Join(t.TempDir(), "wide.bif")
	if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	want := file + ": the Markov blankets of all variables may have 4,006,001 names; want at most 4,000,000; describe some variables by --var"
	if code, _, stderr := pgmc("", "show", "model", file, "--json"); code != cli.ExitInput || !strings.Contains(stderr, want) {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	if code, _, stderr := pgmc("", "show", "model", file, "--json", "--var", "c"); code != cli.ExitDone || stderr != "" {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}
