package pgmrt

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
)

// notCopied lists the files that no generated package copies.
var notCopied = []string{"doc.go", "embed.go", "rand_advance.go"}

// TestSource checks that Source has the files of the folder and of handler except tests.
func TestSource(t *testing.T) {
	got, want := files(t, Source), files(t, os.DirFS("."))
	want = slices.DeleteFunc(want, func(name string) bool {
		return strings.HasSuffix(name, "_test.go") || slices.Contains(notCopied, name)
	})
	if !slices.Equal(got, want) {
		t.Errorf("Source has %q; the folders %q", got, want)
	}
}

// files returns the source files of the runtime and of its packages.
func files(t *testing.T, in fs.FS) (names []string) {
	t.Helper()
	for _, pattern := range []string{"*.go", "*.s", "handler/*"} {
		found, err := fs.Glob(in, pattern)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	return names
}
