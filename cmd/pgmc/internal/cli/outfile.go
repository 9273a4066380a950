package cli

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/pgmc-go/pgmc/ir/folder"
)

// ResultFile is where results go: the file that -o names, which appears whole or not at all, or
// standard output. A name that ends in .gz has the file compressed.
type ResultFile struct {
	io.Writer
	file *os.File // nil for standard output
	path string   // what the file will be called; empty where it has its name
	gz   *gzip.Writer
}

// ResultFile opens the file at path; empty is standard output. finish ends it.
func (a *App) ResultFile(path string) (*ResultFile, error) {
	if path == "" {
		return &ResultFile{Writer: a.Stdout}, nil
	}
	f := &ResultFile{path: path}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, Usagef("-o %s is a folder; want a file", path)
	case err == nil && !info.Mode().IsRegular(): // a device or a pipe, which nothing may replace
		f.path = ""
		f.file, err = os.OpenFile(path, os.O_WRONLY, 0)
	default:
		f.file, err = os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	}
	if err != nil {
		return nil, err
	}
	f.Writer = f.file
	if strings.EqualFold(filepath.Ext(path), ".gz") {
		f.gz = gzip.NewWriter(f.file) // no name and no time in it: the same results give the same bytes
		f.Writer = f.gz
	}
	return f, nil
}

// Finish puts the file in its place, or where err is not nil, removes it. It gives err, or what
// went wrong in finishing.
func (f *ResultFile) Finish(err error) error {
	if f.file == nil {
		return err
	}
	if f.gz != nil && err == nil {
		err = f.gz.Close()
	}
	if f.path != "" && err == nil {
		err = f.file.Chmod(0o644) // what os.Create would give under the usual umask
	}
	if closed := f.file.Close(); err == nil {
		err = closed
	}
	if f.path == "" {
		return err
	}
	if err == nil {
		err = os.Rename(f.file.Name(), f.path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.file.Name()))
	}
	return err
}

// AdviseFolder adds the flag that helps to the error of files that cannot be written.
func AdviseFolder(err error) error {
	if taken := (*folder.TakenError)(nil); errors.As(err, &taken) {
		return fmt.Errorf("%w; choose another -o", err)
	}
	return err
}
