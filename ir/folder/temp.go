package folder

import (
	"errors"
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
	return &fs.PathError{Op: "create", Path: path, Err: inner.Err}
}
