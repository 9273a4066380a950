package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// StagePattern matches the names of the hidden folders in which files wait for their places.
const StagePattern = ".pgmc-stage-*"

// staleAfter is the age beyond which such a folder belongs to a killed process: a live one needs
// milliseconds.
const staleAfter = 10 * time.Minute

// inStage calls f with a new hidden folder inside dir and removes the folder afterwards, unless it
// holds files that f could not put back. It also removes such folders that killed processes left.
func inStage(dir string, f func(stage string) error) error {
	removeLeft(dir)
	stage, err := os.MkdirTemp(dir, StagePattern)
	if err != nil {
		return Named(err, "create files in", dir)
	}
	err = f(stage)
	if errors.Is(err, ErrHalfway) {
		return fmt.Errorf("files of an earlier run are left in %s: %w", stage, err)
	}
	return errors.Join(err, os.RemoveAll(stage))
}

// removeLeft removes the stages of killed processes. It ignores errors: a stage that stays harms
// nobody.
func removeLeft(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if ok, _ := filepath.Match(StagePattern, e.Name()); !ok || !e.IsDir() {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > staleAfter {
			os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

// makeDir makes a folder and those above it, and returns the new ones, outermost first.
func makeDir(dir string) ([]string, error) {
	var made []string
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); err == nil || !errors.Is(err, fs.ErrNotExist) || d == filepath.Dir(d) {
			break
		}
		made = append([]string{d}, made...)
	}
	err := os.MkdirAll(dir, 0o755)
	if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
		err = Named(err, inner.Op, inner.Path)
	}
	return made, err
}
