package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestEdgeDeletionExperiment runs the quick form, and holds what does not hang on chance against the paper: the largest cluster of
// barley is 22.79 (section 5), ID settles on every trial there, in fewer loops than BP, and ED and ID are nearer than BP by mean KL at
// every threshold down to 10 (figure 5).
func TestEdgeDeletionExperiment(t *testing.T) {
	code, stdout, stderr := pgmc("", "experiment", "edge-deletion", "--quick", "--json", "--data", filepath.Join(irtest.Shared(t), "data"))
	if code != cli.ExitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var result deletionResult
	if err := json.Unmarshal([]byte(stdout), &result); err != nil {
		t.Fatal(err)
	}
	reports := result.Networks
	if len(reports) != 2 || reports[0].Network != "barley" || reports[1].Network != "pigs" {
		t.Fatalf("reports %s; want those of barley and pigs", stdout)
	}
	for _, c := range result.Conclusions[:3] {
		if c.Holds != "confirmed" {
			t.Errorf("%s: %s: %s", c.Holds, c.Says, c.Found)
		}
	}
	r := reports[0]
	if math.Abs(r.Cluster-22.79) > 0.005 {
		t.Errorf("largest cluster of barley %v; want 22.79", r.Cluster)
	}
	for _, row := range r.Deleting {
		if row.ID.Converged != r.Trials || row.ID.Loops >= r.BP.Loops {
			t.Errorf("threshold %d: settled on %d of %d in %v loops; BP took %v", row.Threshold, row.ID.Converged, r.Trials, row.ID.Loops, r.BP.Loops)
		}
		if row.ED.KL >= r.BP.KL || row.ID.KL >= r.BP.KL {
			t.Errorf("threshold %d: mean KL %v and %v; want less than the %v of BP", row.Threshold, row.ED.KL, row.ID.KL, r.BP.KL)
		}
		if row.Cluster > float64(row.Threshold)+1e-9 {
			t.Errorf("a cluster of %v for threshold %d", row.Cluster, row.Threshold)
		}
	}
}

// TestExperimentFiles has the same tables from one core and from two, in files that all appear.
func TestExperimentFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "tables")
	args := []string{"experiment", "edge-deletion", "--networks", "pigs", "--trials", "3", "--quick", "--data", filepath.Join(irtest.Shared(t), "data")}
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
	if want := []string{"edge-deletion.json", "edge-deletion.txt", "figure5-flips.csv", "figure5-kl.csv", "pigs.csv"}; !slices.Equal(names, want) {
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
	if want := "not measured: on munin3"; !strings.Contains(text, want) {
		t.Errorf("%s\nwant %q", text, want)
	}
}
