package codegen

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir/folder"
)

// readFiles returns the files of a folder, without the folders in it.
func readFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = string(data)
	}
	return out
}

// putFiles makes a folder with these files.
func putFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const (
	markedText = source.Mark + " 1\n\npackage p\n"
	usersText  = "package p\n\nconst Mine = 1\n"
)

// oldFiles is a user's folder with an old package in it, and newFiles is the same folder after
// WriteDir has written newPackage.
var (
	oldFiles = map[string]string{"a.go": markedText + "// old", "a.dat": "old", "b.go": markedText, "extra.go": markedText, "extra.dat": "old", "mine.go": usersText, "mine.dat": "mine"}
	newFiles = map[string]string{"a.go": markedText + "// new", "a.dat": "new", "b.go": markedText, "c.go": markedText, "mine.go": usersText, "mine.dat": "mine"}
)

func newPackage() *Package {
	p := &Package{Name: "p"}
	for _, name := range []string{"a.go", "b.go", "a.dat", "c.go"} {
		p.Files = append(p.Files, File{Name: name, Data: []byte(newFiles[name])})
	}
	return p
}

// If a write stops after any number of moves, the folder holds the old package, the new one, or a
// guard, and the next WriteDir makes it the new package. If a move fails instead, the folder is as
// before.
func TestStoppedBetweenMoves(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "p")
	p := newPackage()
	prepare := func() (stage string, moves []folder.Move) {
		putFiles(t, dir, oldFiles)
		stage = filepath.Join(dir, strings.Replace(folder.StagePattern, "*", "1", 1))
		w, err := p.writer(dir)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		for _, f := range append(w.Files, w.Guard) {
			files[f.Name] = string(f.Data)
		}
		putFiles(t, stage, files)
		return stage, w.Moves(stage)
	}
	_, moves := prepare()
	for stop := range len(moves) + 1 {
		stage, moves := prepare()
		if err := folder.MoveAll(moves[:stop]); err != nil {
			t.Fatal(err)
		}
		got := readFiles(t, dir)
		_, guarded := got[guardName]
		if guarded != (stop > 0 && stop < len(moves)) || stop == 0 && !maps.Equal(got, oldFiles) || stop == len(moves) && !maps.Equal(got, newFiles) {
			t.Errorf("after %d of %d moves the folder has %v", stop, len(moves), slices.Sorted(maps.Keys(got)))
		}
		long := time.Now().Add(-time.Hour)
		if err := os.Chtimes(stage, long, long); err != nil {
			t.Fatal(err)
		}
		if err := p.WriteDir(dir); err != nil {
			t.Errorf("the run after %d moves: %v", stop, err)
		}
		if got := readFiles(t, dir); !maps.Equal(got, newFiles) {
			t.Errorf("the run after %d moves leaves %v", stop, got)
		}
		if left, err := filepath.Glob(filepath.Join(dir, folder.StagePattern)); err != nil || len(left) > 0 {
			t.Errorf("the run after %d moves leaves %v, %v", stop, left, err)
		}

		stage, moves = prepare()
		failing := append(slices.Clone(moves[:stop]), folder.Move{From: filepath.Join(stage, "none"), To: filepath.Join(dir, "none")})
		if err := folder.MoveAll(failing); err == nil || errors.Is(err, folder.ErrHalfway) {
			t.Errorf("a failure after %d moves gives %v", stop, err)
		}
		if got := readFiles(t, dir); !maps.Equal(got, oldFiles) {
			t.Errorf("a failure after %d moves leaves %v", stop, got)
		}
	}
}

// The Go compiler refuses a folder with a guard, and its message says why.
func TestGuard(t *testing.T) {
	dir := t.TempDir()
	putFiles(t, dir, map[string]string{"go.mod": "module m\n\ngo 1.24\n", "a.go": "package p\n", guardName: strings.Replace(guardText, "%s", "p", 1)})
	cmd := exec.Command("go", "build", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err == nil || !bytes.Contains(out, []byte(guardName)) || !bytes.Contains(out, []byte("interrupted_run_it_again")) {
		t.Errorf("go build: %v\n%s", err, out)
	}
}

// A file of the user with the name of a new file stops WriteDir before it changes anything.
func TestWriteDirSparesOthers(t *testing.T) {
	for _, name := range []string{"a.go", "a.dat"} {
		dir := filepath.Join(t.TempDir(), "p")
		files := map[string]string{name: usersText, "b.go": markedText + "// old"}
		putFiles(t, dir, files)
		err := newPackage().WriteDir(dir)
		taken := (*folder.TakenError)(nil)
		if !errors.As(err, &taken) || filepath.Base(taken.Path) != name {
			t.Errorf("%s of the user: %v", name, err)
		}
		if got := readFiles(t, dir); !maps.Equal(got, files) {
			t.Errorf("%s of the user: the folder has %v", name, got)
		}
	}
}

func TestCompare(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "p")
	p := newPackage()
	want := func(what string, stale, missing, extra []string) {
		t.Helper()
		d, err := p.Compare(dir)
		if err != nil || !slices.Equal(d.Stale, stale) || !slices.Equal(d.Missing, missing) || !slices.Equal(d.Extra, extra) {
			t.Errorf("%s: %+v, %v", what, d, err)
		}
	}
	want("no folder", nil, []string{"a.go", "b.go", "a.dat", "c.go"}, nil)
	putFiles(t, dir, oldFiles)
	want("an old package", []string{"a.go", "a.dat"}, []string{"c.go"}, []string{"extra.dat", "extra.go"})
	if err := p.WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	want("the package", nil, nil, nil)
	files := map[string]string{}
	for _, f := range p.Files {
		if files[f.Name] = string(f.Data); !isData(f.Name) {
			files[f.Name] = strings.ReplaceAll(string(f.Data), "\n", "\r\n")
		}
	}
	putFiles(t, dir, files)
	want("the package with CR LF", nil, nil, nil)
}
