package main

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// resultFile is the one file of results that -o names, which appears whole or not at all; a name that ends in .gz has it
// compressed.
type resultFile struct {
	io.Writer
	path string
	temp *os.File // nil where results go to standard output
	gz   *gzip.Writer
}

// resultFile opens the file at path; empty is standard output. finish ends it.
func (a *app) resultFile(path string) (*resultFile, error) {
	if path == "" {
		return &resultFile{Writer: a.stdout}, nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, usagef("-o %s is a folder; want a file", path)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, err
	}
	f := &resultFile{Writer: temp, path: path, temp: temp}
	if strings.EqualFold(filepath.Ext(path), ".gz") {
		f.gz = gzip.NewWriter(temp) // no name and no time in it: the same results give the same bytes
		f.Writer = f.gz
	}
	return f, nil
}

// finish puts the file in its place, or where err is not nil, removes it. It gives err, or what went wrong in finishing.
func (f *resultFile) finish(err error) error {
	if f.temp == nil {
		return err
	}
	if f.gz != nil && err == nil {
		err = f.gz.Close()
	}
	if err == nil {
		err = f.temp.Chmod(0o644) // what os.Create would give under the usual umask
	}
	err = errors.Join(err, f.temp.Close())
	if err == nil {
		err = os.Rename(f.temp.Name(), f.path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.temp.Name()))
	}
	return err
}
