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
	return file, named(err, path)
}

// named returns err with path in place of the name of a temporary file or folder.
func named(err error, path string) error {
	var inner *fs.PathError
	if !errors.As(err, &inner) {
		return err
	}
	err = &fs.PathError{Op: "create", Path: path, Err: inner.Err}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w; create the folder %s first", err, filepath.Dir(path))
	}
	return err
}
