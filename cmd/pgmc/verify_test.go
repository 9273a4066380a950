package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestVerifyCircuit verifies packages of two circuits, for which there is no second elimination
// order to compare with: a decision diagram, and a mixture without best completions.
func TestVerifyCircuit(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	dir := filepath.Join(irtest.Shared(t), "data")
	for _, c := range []struct{ model, want string }{
		{"circuits/psdd/nltcs.10split.psdd", "mpe "},
		{"libra/test/util/model3.ac.gz", "logprob "},
	} {
		model, out := filepath.Join(dir, c.model), filepath.Join(t.TempDir(), "pkg")
		var stdout, stderr bytes.Buffer
		if code := run([]string{"compile", model, "-o", out}, nil, &stdout, &stderr); code != cli.ExitDone {
			t.Fatalf("%s: exit code %d\n%s", c.model, code, &stderr)
		}
		stdout.Reset()
		if code := run([]string{"verify", model, out, "-n", "20"}, nil, &stdout, &stderr); code != cli.ExitDone {
			t.Fatalf("%s: exit code %d\n%s%s", c.model, code, &stdout, &stderr)
		}
		for _, want := range []string{"sums and maxima over the model's own circuit, in logarithms", c.want} {
			if !strings.Contains(stdout.String(), want) {
				t.Errorf("%s: no %q in\n%s", c.model, want, &stdout)
			}
		}
		if mixture := c.want != "mpe "; mixture && strings.Contains(stdout.String(), "mpe") {
			t.Errorf("%s: best completions of a mixture:\n%s", c.model, &stdout)
		}
	}
}
