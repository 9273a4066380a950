package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestBadDiagrams runs the commands of testdata/diagrams.txtar, which have no answer: the diagram
// has a fault, the question has one, or a strategy does not fit. Each is refused with the message
// after it, which says where the fault is and what is wanted.
func TestBadDiagrams(t *testing.T) {
	path, err := filepath.Abs("testdata/diagrams.txtar") // the test leaves this folder
	if err != nil {
		t.Fatal(err)
	}
	irtest.Golden(t, path, func(t *testing.T, in *txtar.Archive) []txtar.File {
		t.Chdir(t.TempDir())
		for _, f := range in.Files {
			if err := os.WriteFile(f.Name, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, commands := "", 0
		for line := range strings.Lines(string(in.Files[0].Data)) {
			command, ok := strings.CutPrefix(line, "$ pgmc ")
			if !ok {
				continue
			}
			commands++
			code, stdout, stderr := pgmc("", strings.Fields(command)...)
			if code != cli.ExitInput && code != cli.ExitUsage || stdout != "" {
				t.Errorf("%sexit code %d, and prints %q", line, code, stdout)
			}
			if !placed.MatchString(stderr) && !strings.HasPrefix(stderr, "pgmc: ") || !strings.Contains(stderr, "; want ") {
				t.Errorf("%sthe message has no place, or does not say what is wanted: %s", line, stderr)
			}
			got += line + stderr
		}
		if commands < 100 {
			t.Errorf("there are %d commands; want 100 or more", commands)
		}
		return []txtar.File{{Name: in.Files[0].Name, Data: []byte(got)}}
	})
}
