package format

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Sink collects the files that a format writes, in memory and in order, so that they reach the disk together.
type Sink struct {
	Name  string // of the main file, as the user wrote it
	Files []*File
	Lost  []string // what the format cannot hold and the files lack, a line each; the distribution is always whole
}

// File is one file of a sink.
type File struct {
	Name string
	Data bytes.Buffer
}

// Add starts a file and gives the buffer for its text; the main file is Add(s.Name).
func (s *Sink) Add(name string) *bytes.Buffer {
	f := &File{Name: name}
	s.Files = append(s.Files, f)
	return &f.Data
}

// Warn notes something of the model that the files lack, and why: "names of states: UAI numbers them".
func (s *Sink) Warn(format string, args ...any) {
	s.Lost = append(s.Lost, fmt.Sprintf(format, args...))
}

// compress gzips the files that are called so. The header holds no name and no time, so that the same model gives
// the same bytes.
func (s *Sink) compress() error {
	for _, f := range s.Files {
		if !strings.HasSuffix(strings.ToLower(f.Name), gzExt) {
			continue
		}
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write(f.Data.Bytes()); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		f.Data = packed
	}
	return nil
}

// Flush writes all files to disk: first each to a temporary file in its folder, then all are renamed. Where a step
// fails, no temporary file stays behind.
func (s *Sink) Flush() (err error) {
	made, err := s.makeFolder()
	if err != nil {
		return err
	}
	defer func() {
		if made && err != nil {
			os.Remove(s.Name)
		}
	}()
	var temps []string
	defer func() {
		for _, name := range temps {
			os.Remove(name) // those that were renamed are gone already
		}
	}()
	for _, f := range s.Files {
		temp, err := os.CreateTemp(filepath.Dir(f.Name), "."+filepath.Base(f.Name)+".*")
		if err != nil {
			return err
		}
		temps = append(temps, temp.Name())
		_, err = temp.Write(f.Data.Bytes())
		if err == nil {
			err = temp.Chmod(0o644) // what os.Create would give under the usual umask
		}
		if closeErr := temp.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			return err
		}
	}
	for i, f := range s.Files {
		if err := os.Rename(temps[i], f.Name); err != nil {
			return err
		}
	}
	return nil
}

// makeFolder makes the folder of a sink whose files are in one, where it is not there yet.
func (s *Sink) makeFolder() (made bool, err error) {
	if len(s.Files) == 0 || filepath.Dir(s.Files[0].Name) != filepath.Clean(s.Name) {
		return false, nil
	}
	err = os.Mkdir(s.Name, 0o755)
	if !errors.Is(err, fs.ErrExist) {
		return err == nil, err
	}
	info, err := os.Stat(s.Name)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s: is a file; want a folder, or a name that is free", s.Name)
	}
	return false, err
}
