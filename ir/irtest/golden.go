package irtest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// update is the flag that rewrites golden files with the results of the tests.
var update = flag.Bool("update", false, "rewrite golden files with the results of the tests")

// Updating reports whether the flag -update is set, for golden files that are not txtar archives.
func Updating() bool { return *update }

// Golden runs a subtest for each txtar file that pattern matches, at least one. run receives the
// archive and returns the files that it made; they must equal the files of the same names in the
// archive. With the flag -update they replace those files, or are added at the end.
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

// File returns the text of the named file of an archive, and fails the test if there is none.
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

// replaced returns a with files in place of files of the same names. New names come last.
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

// compare fails the test if a file differs from the archive's, and reports the first line that
// differs. A missing newline at the end does not count, since txtar adds it.
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

// line returns line i, quoted, or a word for the end.
func line(ls []string, i int) string {
	if i >= len(ls) {
		return "(end of file)"
	}
	return "\"" + ls[i] + "\""
}
