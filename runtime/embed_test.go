package pgmrt

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
)

// notCopied lists the files that no generated package copies.
var notCopied = []string{"doc.go", "embed.go"}

// TestSource checks that Source has the files of the folder except tests.
func TestSource(t *testing.T) {
	got, err := fs.Glob(Source, "*")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, e := range entries {
		name := e.Name()
		if strings.HasSuffix(name, ".s") || strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !slices.Contains(notCopied, name) {
			want = append(want, name)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("Source has %q; the folder %q", got, want)
	}
}
