package cli

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pgmc-go/pgmc/ir/folder"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/parquet"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// ResultFile is where results are written: the file of -o, which appears whole or not at all, or
// standard output, which "-" names too. If its name ends in .gz, the file is compressed.
type ResultFile struct {
	io.Writer
	file *os.File // nil for standard output
	path string   // the final name of the file; empty if it has it already
	gz   *gzip.Writer

	parquet bool // rows are written so
}

// ResultFile opens the file at path; an empty path and "-" are standard output. The caller must
// call Finish.
func (a *App) ResultFile(path string) (*ResultFile, error) {
	if path == "" || path == Standard {
		return &ResultFile{Writer: a.Stdout}, nil
	}
	f := &ResultFile{path: path, parquet: IsParquet(path)}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, Usagef("-o %s is a folder; want a file", path)
	case err == nil && !info.Mode().IsRegular(): // a device or a pipe, which must not be replaced
		f.path = ""
		f.file, err = os.OpenFile(path, os.O_WRONLY, 0)
	default:
		f.file, err = folder.CreateTemp(path)
	}
	if err != nil {
		return nil, err
	}
	f.Writer = f.file
	if strings.EqualFold(filepath.Ext(path), ".gz") {
		f.gz = gzip.NewWriter(f.file) // without name and time, so that the same results give the same bytes
		f.Writer = f.gz
	}
	return f, nil
}

// WriteResult writes text to the file at path, or to standard output as ResultFile does.
func (a *App) WriteResult(path string, text []byte) error {
	f, err := a.ResultFile(path)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return f.Finish(err)
}

// Parquet reports whether rows are written as a Parquet file, by the name of the file.
func (f *ResultFile) Parquet() bool { return f.parquet }

// IsParquet reports whether the name of an output is one of a Parquet file.
func IsParquet(path string) bool { return strings.EqualFold(filepath.Ext(path), ".parquet") }

// Sink returns what writes rows with some columns to the file: as Parquet, or else as values that
// comma separates, after the names of the columns if header says so.
func (f *ResultFile) Sink(comma byte, header bool, columns []data.Output) (data.Sink, error) {
	if f.parquet {
		return parquet.NewWriter(f, columns)
	}
	return rowfile.NewCSV(f, comma, header, columns), nil
}

// Rows returns what writes rows of variables to the file: as Parquet if its name says so, or else
// in a format.
func (f *ResultFile) Rows(format rowfile.Format, vars []data.Var) (*rowfile.Writer, error) {
	if !f.parquet {
		return rowfile.NewWriter(f, format, vars)
	}
	columns, err := rowfile.Outputs(vars)
	if err != nil {
		return nil, err
	}
	sink, err := f.Sink(0, true, columns)
	return rowfile.NewSinkWriter(sink, vars), err
}

// Finish moves the file to its place, or removes it if err is not nil. It returns err, or else the
// error of finishing.
func (f *ResultFile) Finish(err error) error {
	if f.file == nil {
		return err
	}
	if f.gz != nil && err == nil {
		err = f.gz.Close()
	}
	if f.path != "" && err == nil {
		err = f.file.Chmod(0o644) // the mode that os.Create has under the usual umask
	}
	if closed := f.file.Close(); err == nil {
		err = closed
	}
	if f.path == "" {
		return err
	}
	if inner := (*fs.PathError)(nil); errors.As(err, &inner) && inner.Path == f.file.Name() {
		err = folder.Named(err, inner.Op, f.path)
	}
	if err == nil {
		err = os.Rename(f.file.Name(), f.path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.file.Name()))
	}
	return err
}

// AdviseFolder adds advice to use -o if err says that files of others are in the way.
func AdviseFolder(err error) error {
	if taken := (*folder.TakenError)(nil); errors.As(err, &taken) {
		return fmt.Errorf("%w; choose another -o", err)
	}
	return err
}
