package format

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/folder"
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

// Flush writes all files to disk or none: first each to a temporary file in its folder, then all move to their places, the
// main file last. Where a step fails, what was there before is there again and no temporary file stays behind. A process
// that is killed leaves each file old, new or, of those beside the main file, for a moment missing; the main file is new
// only if all are. A device or a pipe is written to, and stays. A folder that the files need is made, and goes again where
// that fails.
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
	files := slices.Clone(s.Files)
	slices.SortStableFunc(files, func(a, b *File) int { return cmp.Compare(s.rank(a), s.rank(b)) })
	var temps []string
	defer func() {
		if errors.Is(err, folder.ErrHalfway) {
			return // the old files must not go
		}
		for _, name := range temps {
			os.Remove(name) // those that were moved are gone already
		}
	}()
	var moves []folder.Move
	for i, f := range files {
		info, err := os.Stat(f.Name)
		there := err == nil
		switch {
		case there && info.IsDir():
			return fmt.Errorf("%s is a folder; want a file", f.Name)
		case there && !info.Mode().IsRegular():
			if err := f.writeInto(); err != nil {
				return err
			}
			continue
		}
		temp, err := f.temp()
		if temp != "" {
			temps = append(temps, temp)
		}
		if err != nil {
			return err
		}
		if there && i < len(files)-1 { // nothing comes after the last that could fail
			temps = append(temps, temp+".old")
			moves = append(moves, folder.Move{From: f.Name, To: temp + ".old"})
		}
		moves = append(moves, folder.Move{From: temp, To: f.Name})
	}
	return folder.MoveAll(moves)
}

// writeInto writes to what has the file's name and is no file.
func (f *File) writeInto() error {
	out, err := os.OpenFile(f.Name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = out.Write(f.Data.Bytes())
	if closeErr := out.Close(); err == nil {
		err = closeErr
	}
	return err
}

// rank puts the main file last.
func (s *Sink) rank(f *File) int {
	if f.Name == s.Name {
		return 1
	}
	return 0
}

// temp writes the file under another name in its folder.
func (f *File) temp() (name string, err error) {
	temp, err := os.CreateTemp(filepath.Dir(f.Name), "."+filepath.Base(f.Name)+".*")
	if err != nil {
		return "", err
	}
	_, err = temp.Write(f.Data.Bytes())
	if err == nil {
		err = temp.Chmod(0o644) // what os.Create would give under the usual umask
	}
	if closeErr := temp.Close(); err == nil {
		err = closeErr
	}
	return temp.Name(), err
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
