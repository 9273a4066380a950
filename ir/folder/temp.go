package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CreateTemp creates a hidden temporary file beside the file at path, which a rename can then put
// in its place. Errors name path, not the temporary file.
func CreateTemp(path string) (*os.File, error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	return file, Named(err, "create", path)
}

// Named returns err with another operation and path in place of a temporary file's or folder's, and
// with a remedy.
func Named(err error, op, path string) error {
	var inner *fs.PathError
	if !errors.As(err, &inner) {
		return err
	}
	err = &fs.PathError{Op: op, Path: path, Err: inner.Err}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w; create the folder %s first", err, filepath.Dir(path))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w; choose a folder in which you may create files", err)
	}
	return err
}
