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

// Sink collects in memory and in order the files that a format writes, so that they reach the disk
// together.
type Sink struct {
	Name  string // of the main file, as the user gave it
	Files []*File
	Lost  []string // one line for each part of the model that the files lack; never the distribution
}

// File is one file of a sink.
type File struct {
	Name string
	Data bytes.Buffer
}

// Add starts a file and returns the buffer for its text. Add(s.Name) starts the main file.
func (s *Sink) Add(name string) *bytes.Buffer {
	f := &File{Name: name}
	s.Files = append(s.Files, f)
	return &f.Data
}

// Warn records a part of the model that the files lack, and why: "names of states: UAI numbers
// them".
func (s *Sink) Warn(format string, args ...any) {
	s.Lost = append(s.Lost, fmt.Sprintf(format, args...))
}

// compress gzips the files with names that end in ".gz". The header holds no name and no time, so
// that the same model yields the same bytes.
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

// Replaces lists the files of the sink that are on disk with other contents. An empty file has
// none.
func (s *Sink) Replaces() (names []string) {
	for _, f := range s.Files {
		info, err := os.Stat(f.Name)
		if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
			continue
		}
		same := info.Size() == int64(f.Data.Len())
		if same {
			old, err := os.ReadFile(f.Name)
			same = err != nil || bytes.Equal(old, f.Data.Bytes())
		}
		if !same {
			names = append(names, f.Name)
		}
	}
	return names
}

// Flush writes either all files to disk or none. It writes each to a temporary file in its folder
// and then renames them all, the main file last. If a step fails, it restores the old files and
// removes the temporary ones. If the process is killed, each file is old or new, and a side file
// may be missing for a moment; the main file is new only if all are. Flush writes to a device or a
// pipe directly. It makes the folder that the files need, and removes it again if it fails.
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
			return // keep the old files
		}
		for _, name := range temps {
			os.Remove(name) // fails for renamed ones, which are gone
		}
	}()
	var moves []folder.Move
	for i, f := range files {
		info, err := os.Stat(f.Name)
		there, mode := err == nil, fs.FileMode(0o644) // as os.Create does under the usual umask
		switch {
		case there && info.IsDir():
			return fmt.Errorf("%s is a folder; want a file", f.Name)
		case there && !info.Mode().IsRegular():
			if err := f.writeInto(); err != nil {
				return err
			}
			continue
		case there:
			mode = info.Mode().Perm()
		}
		temp, err := f.temp(mode)
		if temp != "" {
			temps = append(temps, temp)
		}
		if err != nil {
			return err
		}
		if there && i < len(files)-1 { // no step after the last can fail
			temps = append(temps, temp+".old")
			moves = append(moves, folder.Move{From: f.Name, To: temp + ".old"})
		}
		moves = append(moves, folder.Move{From: temp, To: f.Name})
	}
	return folder.MoveAll(moves)
}

// writeInto writes to a device or pipe with the file's name.
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

// rank sorts the main file last.
func (s *Sink) rank(f *File) int {
	if f.Name == s.Name {
		return 1
	}
	return 0
}

// temp writes the data to a temporary file with a mode in the folder of f.
func (f *File) temp(mode fs.FileMode) (name string, err error) {
	temp, err := folder.CreateTemp(f.Name)
	if err != nil {
		return "", err
	}
	_, err = temp.Write(f.Data.Bytes())
	err = folder.Named(err, "write", f.Name)
	if err == nil {
		err = temp.Chmod(mode)
	}
	if closeErr := temp.Close(); err == nil {
		err = closeErr
	}
	return temp.Name(), err
}

// makeFolder makes the folder of a sink with files in one, unless it exists. It reports whether it
// made one.
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
