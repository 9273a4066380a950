// Package format says what a file format of models is, and finds, reads and writes files by format.
//
// A [Format] is a value: a name, extensions and two functions, one from text to [model.Model] and one
// back. Every format has its own package in a folder beside this file, and the compiler lists them in
// one slice; the functions here are given that list. Input is untrusted: what is read is bounded by
// [ReadOptions], and a reader reports mistakes as diagnostics with positions. Output is collected in a
// [Sink] and reaches the disk only when all of it is there.
//
// The package knows no syntax, and it changes no numbers: rows that miss one by a rounding are left to
// [model.Model.NormalizeRows].
package format

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Format is one file format.
type Format struct {
	Name string   // as --format takes it: "bif"
	Doc  string   // one line
	Exts []string // with the dot, lower case, most usual first: ".bif"

	Counts bool         // files keep the counts of CPDs, see model.Factor
	Takes  model.Traits // of models that files hold, besides plain discrete ones; Encode refuses the others

	// Folder says that a model is a folder of files, which Read gets with [Source.Open]. It cannot be compressed as a whole.
	Folder bool

	// Read gives the model as it stands in the file, not yet checked, and what is wrong with the syntax. The model is
	// of use only where there are no errors; it may be nil otherwise. Call [ReadSource] to have it checked too.
	Read func(*Source, ReadOptions) (*model.Model, diag.List)

	// Write adds the files that hold a checked model to a sink. What they lack of it beside the distribution goes to Sink.Warn;
	// where the format cannot hold the distribution, Write fails by name. It is nil for a format that is only read.
	Write func(*Sink, *model.Model) error
}

// Find picks a format by its name, or where name is empty by the extension of path, not counting ".gz". Where formats of files and
// of folders share the extension, what is at path decides; the first is taken where nothing is.
func Find(formats []Format, path, name string) (Format, error) {
	base := strings.ToLower(filepath.Base(path))
	base = strings.TrimSuffix(base, gzExt)
	var found Format
	longest := 0
	for _, f := range formats {
		if name != "" {
			if f.Name == name {
				return f, nil
			}
			continue
		}
		for _, ext := range f.Exts {
			if !strings.HasSuffix(base, ext) || len(ext) < longest {
				continue
			}
			if len(ext) > longest || !found.suits(path) && f.suits(path) {
				found, longest = f, len(ext)
			}
		}
	}
	switch {
	case name != "":
		return Format{}, fmt.Errorf("unknown format %q; want %s", name, known(formats))
	case longest == 0:
		return Format{}, fmt.Errorf("%s: the name does not tell the format; want an extension of %s", path, known(formats))
	}
	return found, nil
}

// suits reports whether path could be of a format that is a folder or is none.
func (f Format) suits(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return !f.Folder || !strings.HasSuffix(strings.ToLower(path), gzExt)
	}
	return info.IsDir() == f.Folder
}

// known lists formats for messages: `bif (.bif), uai (.uai)`.
func known(formats []Format) string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = fmt.Sprintf("%s (%s)", f.Name, strings.Join(f.Exts, " "))
	}
	return strings.Join(names, ", ")
}

// Read reads and checks the model in the file at path; name is that of its format, and empty to go by the extension.
// The model is nil where there are errors.
func Read(formats []Format, path, name string, opt ReadOptions) (*model.Model, diag.List) {
	var list diag.List
	f, err := Find(formats, path, name)
	if err != nil {
		list.Errorf(diag.Pos{File: path}, "%s", strings.TrimPrefix(err.Error(), path+": "))
		return nil, list
	}
	open := OpenSource
	if f.Folder {
		open = OpenFolder
	}
	src, err := open(path, opt)
	if err != nil {
		var pathErr *fs.PathError
		if errors.As(err, &pathErr) { // its text would name the file a second time
			err = pathErr.Err
		}
		list.Errorf(diag.Pos{File: path}, "%s", strings.TrimPrefix(err.Error(), path+": "))
		return nil, list
	}
	return ReadSource(f, src, opt)
}

// ReadSource reads and checks the model in src. The model is nil where there are errors.
func ReadSource(f Format, src *Source, opt ReadOptions) (*model.Model, diag.List) {
	m, list := f.Read(src, opt.WithDefaults())
	if !list.HasErrors() {
		list.Append(m.Check())
	}
	if list.HasErrors() {
		return nil, list
	}
	return m, list
}

// Encode gives the files that hold m in format f, the main one called path, compressed if a name ends in
// ".gz". If f does not take the model, the error is a *model.Untaken, which names those of formats that do;
// formats may be nil.
func Encode(formats []Format, f Format, path string, m *model.Model) (*Sink, error) {
	if f.Write == nil {
		return nil, fmt.Errorf("%s: the format %s is only read; choose another", path, f.Name)
	}
	if f.Folder && strings.HasSuffix(strings.ToLower(path), gzExt) {
		return nil, fmt.Errorf("%s: the format %s is a folder, which is not compressed; leave out %s", path, f.Name, gzExt)
	}
	check := m.Check()
	if err := check.Err(); err != nil {
		return nil, err
	}
	if err := Refuse(formats, f, m.Needs()); err != nil {
		return nil, err
	}
	out := &Sink{Name: path}
	if err := f.Write(out, m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !f.Counts && slices.ContainsFunc(m.Factors, func(f *model.Factor) bool { return f.Counts != nil }) {
		out.Warn("counts of the data behind the numbers: only the format json keeps them")
	}
	if err := out.compress(); err != nil {
		return nil, err
	}
	return out, nil
}

// Refuse gives a *model.Untaken if f does not take one of the needs of a model. It names those of formats
// that do.
func Refuse(formats []Format, f Format, needs []model.Need) error {
	takers := make([]model.Taker, len(formats))
	for i, x := range formats {
		takers[i] = model.Taker{Name: x.Name, Takes: x.Takes}
	}
	return model.Refuse("format", f.Name, f.Takes, needs, takers)
}

// Write writes m to the file at path, and to side files where the format has them; name is that of the format, and empty
// to go by the extension. Files appear whole or not at all.
func Write(formats []Format, path, name string, m *model.Model) error {
	f, err := Find(formats, path, name)
	if err != nil {
		return err
	}
	out, err := Encode(formats, f, path, m)
	if err != nil {
		return err
	}
	return out.Flush()
}
