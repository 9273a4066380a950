package codegen

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/codegen/internal/store"
	"github.com/pgmc-go/pgmc/ir/folder"
)

// guardName is a Go file that does not compile. It is in the folder of a package while the
// package's files are replaced, so that nobody builds a package of old and new files.
const guardName = "pgmc_incomplete.go"

const guardText = source.Mark + `. DO NOT EDIT.

// A run of pgmc compile was stopped while it replaced the files of this folder, so that they do not
// fit together. Run it again: that repairs the folder and removes this file.
package %s

var _ = pgmc_compile_was_interrupted_run_it_again
`

// WriteDir writes the files of the package to dir, all or none, and removes files that an earlier
// run made there and that the package no longer has. It makes dir if necessary. It never changes a
// file that pgmc did not make: if such a file has the name of a new one, WriteDir returns a
// *folder.TakenError. If the process is killed, dir holds the old package, the new one, or one that
// does not compile and that the next WriteDir repairs.
func (p *Package) WriteDir(dir string) error {
	w, err := p.writer(dir)
	if err != nil {
		return err
	}
	if err := w.Check(); err != nil {
		return err
	}
	if err := p.checkOwner(dir); err != nil {
		return err
	}
	return w.Write()
}

// writer returns the changes that WriteDir makes to dir.
func (p *Package) writer(dir string) (*folder.Writer, error) {
	stale, err := p.extra(dir)
	w := &folder.Writer{Dir: dir, Remove: stale, Guard: folder.File{Name: guardName, Data: fmt.Appendf(nil, guardText, p.Name)}}
	for _, f := range p.Files {
		w.Files = append(w.Files, folder.File(f))
	}
	return w, err
}

// Difference lists the names of files by which a folder differs from a package.
type Difference struct {
	Stale   []string `json:"stale"`   // have different contents
	Missing []string `json:"missing"` // do not exist
	Extra   []string `json:"extra"`   // were made by pgmc, and are not in the package
}

// Fresh reports whether nothing differs.
func (d *Difference) Fresh() bool { return d.Len() == 0 }

// Len returns the number of files that differ.
func (d *Difference) Len() int { return len(d.Stale) + len(d.Missing) + len(d.Extra) }

// Compare compares the files in dir with those that WriteDir would write, and writes nothing. It
// ignores files of dir that pgmc did not make, and whether lines end in CR LF. If dir does not
// exist, all files are missing.
func (p *Package) Compare(dir string) (*Difference, error) {
	d := &Difference{[]string{}, []string{}, []string{}}
	for _, f := range p.Files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			d.Missing = append(d.Missing, f.Name)
		case err != nil:
			return nil, err
		case !sameFile(f.Name, data, f.Data):
			d.Stale = append(d.Stale, f.Name)
		}
	}
	extra, err := p.extra(dir)
	d.Extra = append(d.Extra, extra...)
	return d, err
}

// unixLines returns text with LF in place of CR LF, with which git may check it out.
func unixLines(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// sameFile reports whether a file on disk holds what pgmc wrote.
func sameFile(name string, onDisk, written []byte) bool {
	if isData(name) {
		return store.SameData(onDisk, written)
	}
	return bytes.Equal(unixLines(onDisk), written)
}

// ReadDir returns the package in dir as it is on disk: the files that pgmc made, without a report.
func ReadDir(dir string) (*Package, error) {
	p := &Package{}
	names, err := p.extra(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		p.Files = append(p.Files, File{Name: name, Data: data})
	}
	return p, nil
}

// checkOwner refuses to replace files that pgmc did not make. A killed run may have left a data
// file without the Go file with the header that identifies its maker; in that case the guard is
// there.
func (p *Package) checkOwner(dir string) error {
	guarded := hasMark(filepath.Join(dir, guardName))
	names := []string{guardName}
	for _, f := range p.Files {
		names = append(names, f.Name)
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if !ours(dir, name) && !(guarded && isData(name)) {
			return &folder.TakenError{Path: path}
		}
	}
	return nil
}

// ours reports whether pgmc made a file of dir. The header of a Go or assembly file says so; a data
// file belongs to the Go file of the same name.
func ours(dir, name string) bool {
	if isData(name) {
		return hasMark(filepath.Join(dir, strings.TrimSuffix(name, store.DataExt)+".go"))
	}
	ext := filepath.Ext(name)
	return (ext == ".go" || ext == ".s") && hasMark(filepath.Join(dir, name))
}

func isData(name string) bool { return strings.HasSuffix(name, store.DataExt) }

// hasMark reports whether a file begins with [source.Mark].
func hasMark(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	start, _ := bufio.NewReader(f).Peek(len(source.Mark)) // a shorter file has no mark
	return bytes.Equal(start, []byte(source.Mark))
}

// extra returns the names of the files in dir that an earlier run made and that are not in the
// package, sorted.
func (p *Package) extra(dir string) ([]string, error) {
	now := map[string]bool{}
	for _, f := range p.Files {
		now[f.Name] = true
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, nil // the writer reports this error
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if !now[e.Name()] && e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") && ours(dir, e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, err
}
