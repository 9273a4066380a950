package format_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
)

// folder writes files to a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// wantFolder compares the files of a folder with files.
func wantFolder(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(files) {
		t.Errorf("the folder has %v; want %d files", entries, len(files))
	}
	for name, text := range files {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(data) != text {
			t.Errorf("%s holds %q, %v; want %q", name, data, err, text)
		}
	}
}

// TestFlushRestores checks that no file changes if one of several cannot be renamed.
func TestFlushRestores(t *testing.T) {
	files := map[string]string{"a": "old", "b": "old"}
	dir := folder(t, files)
	if err := os.MkdirAll(filepath.Join(dir, "main", "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := &format.Sink{Name: filepath.Join(dir, "main")}
	for _, name := range []string{"main", "a", "b", "c"} {
		s.Add(filepath.Join(dir, name)).WriteString("new")
	}
	if err := s.Flush(); err == nil {
		t.Fatal("a file takes the place of a folder")
	}
	if err := os.RemoveAll(filepath.Join(dir, "main")); err != nil {
		t.Fatal(err)
	}
	wantFolder(t, dir, files)
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	wantFolder(t, dir, map[string]string{"main": "new", "a": "new", "b": "new", "c": "new"})
}

// TestFlushDevice checks that a device is written to and not replaced.
func TestFlushDevice(t *testing.T) {
	before, err := os.Stat(os.DevNull)
	if err != nil || before.Mode().IsRegular() {
		t.Skip("there is no null device")
	}
	link := filepath.Join(t.TempDir(), "null")
	if err := os.Symlink(os.DevNull, link); err != nil {
		t.Skip(err)
	}
	s := &format.Sink{Name: link}
	s.Add(link).WriteString("text")
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	if target, err := os.Readlink(link); err != nil || target != os.DevNull {
		t.Errorf("the device is replaced: %q, %v", target, err)
	}
}
