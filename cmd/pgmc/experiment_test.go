package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestExperimentFiles checks that an experiment prints the same tables from one core and from two,
// and writes them to files that all appear together.
func TestExperimentFiles(t *testing.T) {
	network := "hailfinder"
	if irtest.Long(t) {
		network = "pigs" // takes minutes on a slow machine
	}
	dir := filepath.Join(t.TempDir(), "new", "tables")
	args := []string{"experiment", "edge-deletion", "--networks", network, "--trials", "3", "--quick", "--data", filepath.Join(irtest.Shared(t), "data")}
	code, asJSON, stderr := pgmc("", append(args, "--cpu", "1", "--json")...)
	if code != cli.ExitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	code, text, stderr := pgmc("", append(args, "--cpu", "2", "-o", dir)...)
	if code != cli.ExitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var names []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"claims.csv", "edge-deletion.json", "edge-deletion.txt", "figure5-flips.csv", "figure5-kl.csv", network + ".csv"}; !slices.Equal(names, want) {
		t.Errorf("files %q; want %q", names, want)
	}
	for name, want := range map[string]string{"edge-deletion.json": asJSON, "edge-deletion.txt": text} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s differs from what is printed:\n%s\n%s", name, got, want)
		}
	}
	if want := "not measured\ndown to threshold 11"; !strings.Contains(text, want) {
		t.Errorf("%s\nwant %q", text, want)
	}
}
