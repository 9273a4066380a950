package formattest

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Oracle returns the posteriors that another tool computed for a network of the reference data, for
// its first n evidence sets. It reads a file of JSON lines in the folder "oracle" of shared.
func Oracle(t testing.TB, shared, network string, n int) []Posterior {
	t.Helper()
	file, err := os.Open(filepath.Join(shared, "oracle", network+".jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []Posterior
	dec := json.NewDecoder(text)
	for range n {
		var line struct {
			Evidence  map[string]string
			Marginals map[string]map[string]float64
		}
		if err := dec.Decode(&line); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.Sorted(maps.Keys(line.Marginals)) {
			for _, state := range slices.Sorted(maps.Keys(line.Marginals[name])) {
				out = append(out, Posterior{
					Var: name, State: state, Evidence: line.Evidence,
					Want: line.Marginals[name][state],
					Tol:  2e-12, // printed with 12 digits
					From: "libDAI 0.3.0, junction tree",
				})
			}
		}
	}
	return out
}
