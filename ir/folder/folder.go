package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// File is one file of a folder; Name has no folder in it.
type File struct {
	Name string
	Data []byte
}

// Writer is a set of files and the folder that they go to.
type Writer struct {
	Dir    string
	Files  []File   // in the order in which they take their places; they replace files of the same names
	Remove []string // further files of Dir to remove
	Guard  File     // is in Dir while files move; no guard if its name is empty
}

// TakenError reports a file that must not be replaced.
type TakenError struct{ Path string }

// Error names the file.
func (e *TakenError) Error() string { return e.Path + " is there already and was not made by pgmc" }

// Check reports whether Write could take every name that it needs: Dir is a folder or free, and
// each name in it is free or names a regular file. The error is a *TakenError if a name is taken.
func (w *Writer) Check() error {
	if info, err := os.Stat(w.Dir); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is a file; want a folder", w.Dir)
	}
	for _, name := range w.names() {
		info, err := os.Lstat(filepath.Join(w.Dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return &TakenError{filepath.Join(w.Dir, name)}
		}
	}
	return nil
}

// names lists the names that Write takes.
func (w *Writer) names() (list []string) {
	if w.Guard.Name != "" {
		list = append(list, w.Guard.Name)
	}
	for _, f := range w.Files {
		list = append(list, f.Name)
	}
	return list
}

// Write writes all files or none. A new folder appears with all files in it. In an existing folder,
// files move to their places one by one while the old ones move out, and all go back if a move
// fails. A killed process leaves the old files, the new ones, or a mixture with the guard in it.
// Without files, Write does nothing.
func (w *Writer) Write() error {
	if len(w.Files) == 0 {
		return nil
	}
	if err := w.Check(); err != nil {
		return err
	}
	if _, err := os.Stat(w.Dir); errors.Is(err, fs.ErrNotExist) {
		return w.create()
	}
	return inStage(w.Dir, func(stage string) error {
		if err := w.writeTo(stage); err != nil {
			return err
		}
		return MoveAll(w.Moves(stage))
	})
}

// create makes the folder. If it fails, it removes the folders above that it had to make.
func (w *Writer) create() (err error) {
	dir := filepath.Clean(w.Dir)
	made, err := makeDir(filepath.Dir(dir))
	defer func() {
		for i := len(made) - 1; i >= 0 && err != nil; i-- {
			os.Remove(made[i]) // fails if somebody else has put something into it by now: then it must stay
		}
	}()
	if err != nil {
		return err
	}
	return inStage(filepath.Dir(dir), func(stage string) error {
		whole := filepath.Join(stage, "whole")
		if err := os.Mkdir(whole, 0o755); err != nil {
			return err
		}
		if err := writeAll(whole, w.Files); err != nil {
			return err
		}
		return os.Rename(whole, dir)
	})
}

// writeTo writes the files and the guard to the stage.
func (w *Writer) writeTo(stage string) error {
	if w.Guard.Name != "" {
		if err := writeAll(stage, []File{w.Guard}); err != nil {
			return err
		}
	}
	return writeAll(stage, w.Files)
}

func writeAll(dir string, files []File) error {
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Moves lists the renames that bring the files from the folder stage to their places, and the files
// that they replace to stage. The guard comes first and goes last; a killed run may have left one
// already.
func (w *Writer) Moves(stage string) (moves []Move) {
	in := func(name string) {
		moves = append(moves, Move{From: filepath.Join(stage, name), To: filepath.Join(w.Dir, name)})
	}
	out := func(name string) {
		moves = append(moves, Move{From: filepath.Join(w.Dir, name), To: filepath.Join(stage, name+".old")})
	}
	guard := w.Guard.Name
	if guard != "" && !slices.Contains(w.Remove, guard) {
		in(guard)
	}
	for _, name := range w.Remove {
		if name != guard {
			out(name)
		}
	}
	for _, f := range w.Files {
		if _, err := os.Lstat(filepath.Join(w.Dir, f.Name)); err == nil {
			out(f.Name)
		}
		in(f.Name)
	}
	if guard != "" {
		out(guard)
	}
	return moves
}
