package folder_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/ir/folder"
)

// filled writes files to a new folder.
func filled(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// wantFolder compares a folder's files with files.
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

func TestMoveAll(t *testing.T) {
	files := map[string]string{"a": "1", "b": "2", "c": "3"}
	dir := filled(t, files)
	in := func(name string) string { return filepath.Join(dir, name) }
	move := func(names ...string) (moves []folder.Move) {
		for i := 0; i < len(names); i += 2 {
			moves = append(moves, folder.Move{From: in(names[i]), To: in(names[i+1])})
		}
		return moves
	}
	err := folder.MoveAll(move("a", "x", "b", "a", "x", "b", "missing", "y"))
	if !errors.Is(err, os.ErrNotExist) || errors.Is(err, folder.ErrHalfway) {
		t.Errorf("a missing file gives %v", err)
	}
	wantFolder(t, dir, files)
	if err := folder.MoveAll(move("a", "x", "b", "a", "x", "b")); err != nil {
		t.Error(err)
	}
	wantFolder(t, dir, map[string]string{"a": "2", "b": "1", "c": "3"})
	// The second move here destroys what the first one moved.
	if err := folder.MoveAll(move("a", "x", "b", "x", "missing", "y")); !errors.Is(err, folder.ErrHalfway) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("moves that can't be undone give %v", err)
	}
	wantFolder(t, dir, map[string]string{"b": "1", "c": "3"})
}
