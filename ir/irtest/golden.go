package irtest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// update rewrites golden files with what the tests got.
var update = flag.Bool("update", false, "rewrite golden files with what the tests got")

// Updating reports whether the flag -update is set, for golden files that Golden can't hold.
func Updating() bool { return *update }

// Golden runs a subtest for each txtar file that pattern matches, at least one. run gets the
// archive and gives the files that it made; they must equal those of the same names in the archive.
// With the flag -update they replace them instead, or are added at the end.
func Golden(t *testing.T, pattern string, run func(t *testing.T, in *txtar.Archive) []txtar.File) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden file matches %q (%v)", pattern, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := run(t, a)
			if *update && !t.Failed() {
				if err := os.WriteFile(path, txtar.Format(replaced(a, got)), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			compare(t, a, got)
		})
	}
}

// File gives the text of the named file of an archive, and fails the test where there is none.
func File(t testing.TB, a *txtar.Archive, name string) string {
	t.Helper()
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	t.Fatalf("the archive has no file %q", name)
	return ""
}

// replaced is a with files in place of those of the same names, or after all.
func replaced(a *txtar.Archive, files []txtar.File) *txtar.Archive {
	out := &txtar.Archive{Comment: a.Comment, Files: append([]txtar.File(nil), a.Files...)}
next:
	for _, f := range files {
		for i := range out.Files {
			if out.Files[i].Name == f.Name {
				out.Files[i].Data = f.Data
				continue next
			}
		}
		out.Files = append(out.Files, f)
	}
	return out
}

// compare fails the test where a file differs from the archive's, and shows the first line that
// does. A missing newline at the end does not count, since txtar adds it.
func compare(t testing.TB, a *txtar.Archive, got []txtar.File) {
	t.Helper()
	for _, f := range got {
		want := File(t, a, f.Name)
		g, w := lines(string(f.Data)), lines(want)
		for i := range max(len(g), len(w)) {
			if line(g, i) != line(w, i) {
				t.Errorf("%s:%d differs\ngot  %s\nwant %s\nall that was got (-update accepts it):\n%s", f.Name, i+1, line(g, i), line(w, i), f.Data)
				break
			}
		}
	}
}

func lines(s string) []string { return strings.Split(strings.TrimSuffix(s, "\n"), "\n") }

// line is line i, quoted, or a word for the end.
func line(ls []string, i int) string {
	if i >= len(ls) {
		return "(end of file)"
	}
	return "\"" + ls[i] + "\""
}
