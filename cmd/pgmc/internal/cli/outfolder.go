package cli

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// The files of an output folder that are no parts.
const (
	partsName   = "_pgmc.json"
	successName = "_SUCCESS" // of which the presence says that all parts are there
)

// partsEvery is the least time between two versions of the list of parts, which takes time to write
// if there are many parts. A killed run loses the parts after the last version.
const partsEvery = time.Second

// outFolder is a folder of output with a part for each part of a data set. Parts appear one by one,
// each of them whole.
type outFolder struct {
	app     *App
	dir     string
	list    partList
	written time.Time // when the list was
}

// partList is the content of _pgmc.json.
type partList struct {
	Command string            `json:"command"`
	Model   string            `json:"model"` // its fingerprint
	Flags   map[string]string `json:"flags"` // those that the output depends on
	Parts   []partEntry       `json:"parts"`
}

// partEntry describes a part that is written, and the input that it was made of.
type partEntry struct {
	Name  string          `json:"name"`
	Input string          `json:"input"`
	Size  int64           `json:"size"` // of the input
	Time  time.Time       `json:"time"` // at which the input was changed last
	Rows  int64           `json:"rows"`
	Sums  json.RawMessage `json:"sums"`
	done  bool
}

// neutral are the flags on which the output does not depend.
var neutral = []string{"output", "resume", "json", "quiet", "progress", "cpu", "max-mem", "timeout"}

// openFolder prepares a folder for the parts of rows, and finds those that are kept.
func (a *App) openFolder(rows *rowfile.Reader, o *RowsOut, m *model.Model) (*outFolder, error) {
	f := &outFolder{app: a, dir: filepath.Clean(o.File), list: partList{Command: a.Command, Flags: map[string]string{}}}
	if rows.Name() == Standard {
		return nil, Usagef("-o %s: standard input has no name for a file in a folder; want a file", o.File)
	}
	for name, value := range a.given() {
		if !slices.Contains(neutral, name) {
			f.list.Flags[name] = value
		}
	}
	var err error
	if f.list.Model, err = fingerprint(m); err != nil {
		return nil, err
	}
	if err := f.plan(rows); err != nil {
		return nil, err
	}
	old, err := f.read()
	if err != nil {
		return nil, err
	}
	if o.Resume && old != nil {
		if err := f.resume(old); err != nil {
			return nil, err
		}
	}
	return f, f.begin(old)
}

// fingerprint returns a hash of a model.
func fingerprint(m *model.Model) (string, error) {
	sink, err := format.Encode(compiler.Formats, Format("json"), "model.json", m)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for i := range sink.Files {
		h.Write(sink.Files[i].Data.Bytes())
	}
	return fmt.Sprintf("sha256:%x", h.Sum(nil)), nil
}

// plan lists the parts.
func (f *outFolder) plan(rows *rowfile.Reader) error {
	from := map[string]string{}
	for _, p := range rows.Parts() {
		info, err := os.Stat(p.Path)
		if err != nil {
			return err
		}
		e := partEntry{Name: outName(p.Name, rows), Input: p.Name, Size: info.Size(), Time: info.ModTime().UTC()}
		if other, taken := from[e.Name]; taken {
			return fmt.Errorf("%s: %s and %s of the data would both be %s; want names that differ in more than the ending", f.dir, other, p.Name, e.Name)
		}
		from[e.Name] = p.Name
		f.list.Parts = append(f.list.Parts, e)
	}
	return nil
}

// outName returns the name of the output of a part: its own, with the ending of the format.
func outName(name string, rows *rowfile.Reader) string {
	gz := ""
	if ext := path.Ext(name); strings.EqualFold(ext, ".gz") && rows.Format != rowfile.Parquet {
		name, gz = strings.TrimSuffix(name, ext), ext
	}
	want, ext := ".csv", strings.ToLower(path.Ext(name))
	switch {
	case rows.Format == rowfile.Parquet:
		want = ".parquet"
	case rows.Format == rowfile.CSV && rows.Comma == '\t' && ext == ".tab":
		want = ext
	case rows.Format == rowfile.CSV && rows.Comma == '\t':
		want = ".tsv"
	}
	if ext == want {
		return name + gz
	}
	if rowfile.HasExtension(name) {
		name = name[:len(name)-len(ext)]
	}
	return name + want + gz
}

// read returns the list of parts in the folder, or nil if the folder does not exist or is empty. It
// is an error if the folder holds something that is not listed or planned.
func (f *outFolder) read() (*partList, error) {
	entries, err := os.ReadDir(f.dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !isTemp(e.Name(), partsName) }) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(f.dir, partsName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: the folder is not empty, and has no %s of an earlier run; choose another -o", f.dir, partsName)
	}
	if err != nil {
		return nil, err
	}
	old := &partList{}
	if err := json.Unmarshal(text, old); err != nil {
		return nil, f.broken(err)
	}
	for _, p := range old.Parts {
		if !filepath.IsLocal(filepath.FromSlash(p.Name)) {
			return nil, f.broken(fmt.Errorf("found the name %q", p.Name))
		}
	}
	return old, nil
}

// isTemp reports whether a name is one of a temporary file that takes the place of another, see
// [folder.CreateTemp].
func isTemp(name, place string) bool { return strings.HasPrefix(name, "."+place+".") }

// outdated returns the paths of the files that are to be removed: parts that are not kept, and what
// killed runs left of files. It is an error if the folder holds anything else.
func (f *outFolder) outdated(old *partList) (list []string, err error) {
	kept := map[string]bool{partsName: true, successName: false}
	for _, p := range old.Parts {
		kept[p.Name] = false
	}
	for _, p := range f.list.Parts {
		kept[p.Name] = p.done
	}
	return list, filepath.WalkDir(f.dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(f.dir, file)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		keep, ours := kept[name]
		if base := path.Base(name); base[0] == '.' {
			_, ours = kept[path.Join(path.Dir(name), strings.TrimSuffix(base[1:], path.Ext(base)))]
			keep = !ours // a file of others is not read as a part
		} else if !ours {
			return fmt.Errorf("%s: pgmc did not write the file %s; remove it, or choose another -o", f.dir, name)
		}
		if !keep {
			list = append(list, file)
		}
		return nil
	})
}

// broken returns the error for a list of parts that cannot be read.
func (f *outFolder) broken(err error) error {
	return fmt.Errorf("%s: %w; want a list of parts, as pgmc writes it; remove the folder to begin again", filepath.Join(f.dir, partsName), err)
}

// resume marks the parts as done that are listed and have the same input. It returns an error if
// they were made by another model or with other flags.
func (f *outFolder) resume(old *partList) error {
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("%s: --resume: the files there were written %s; leave out --resume to write all again", f.dir, fmt.Sprintf(format, args...))
	}
	switch {
	case old.Command != f.list.Command:
		return refuse("by %s, and this is %s", old.Command, f.list.Command)
	case old.Model != f.list.Model:
		return refuse("by another model")
	}
	names := slices.Concat(slices.Collect(maps.Keys(old.Flags)), slices.Collect(maps.Keys(f.list.Flags)))
	slices.Sort(names)
	for _, name := range names {
		before, was := old.Flags[name]
		now, is := f.list.Flags[name]
		if was != is || before != now {
			return refuse("with %s, and this run has %s", givenText(name, before, was), givenText(name, now, is))
		}
	}
	listed := map[string]*partEntry{}
	for i := range old.Parts {
		listed[old.Parts[i].Input] = &old.Parts[i]
	}
	kept := 0
	for i := range f.list.Parts {
		p := &f.list.Parts[i]
		o := listed[p.Input]
		if o == nil || o.Name != p.Name || o.Size != p.Size || !o.Time.Equal(p.Time) {
			continue
		}
		if info, err := os.Stat(f.path(p)); err == nil && info.Mode().IsRegular() {
			p.Rows, p.Sums, p.done = o.Rows, o.Sums, true
			kept++
		}
	}
	if kept > 0 && f.app.bad != nil {
		var list diag.List
		list.Warnf(diag.Pos{File: f.dir}, "kept %d %s of an earlier run; the rows that --bad-rows left out there are neither counted nor listed again", kept, plural(kept, "file", "files"))
		f.app.Warn(list.Warnings())
	}
	return nil
}

// givenText returns a flag with its value, or says that it is not given.
func givenText(name, value string, given bool) string {
	if !given {
		return "no --" + name
	}
	return "--" + name + " " + ShellQuote(value)
}

// path returns the path of a part.
func (f *outFolder) path(p *partEntry) string {
	return filepath.Join(f.dir, filepath.FromSlash(p.Name))
}

// begin removes what is not kept, first of all the mark that all parts are there, and then its
// entries in the list.
func (f *outFolder) begin(old *partList) error {
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return err
	}
	if old == nil {
		old = &partList{}
	}
	outdated, err := f.outdated(old)
	if err != nil {
		return err
	}
	mark := filepath.Join(f.dir, successName)
	if i := slices.Index(outdated, mark); i >= 0 {
		outdated = slices.Insert(slices.Delete(outdated, i, i+1), 0, mark)
	}
	for _, file := range outdated {
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	return f.save()
}

// write writes a part and lists it.
func (f *outFolder) write(p *partEntry, do func(out *ResultFile) error) error {
	path := f.path(p)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	out, err := f.app.ResultFile(path)
	if err != nil {
		return err
	}
	if err := out.Finish(do(out)); err != nil {
		return err
	}
	p.done = true
	if time.Since(f.written) < partsEvery {
		return nil
	}
	return f.save()
}

// save writes the list of the parts that are done.
func (f *outFolder) save() error {
	list := f.list
	list.Parts = slices.DeleteFunc(slices.Clone(list.Parts), func(p partEntry) bool { return !p.done })
	text, err := json.MarshalIndent(&list, "", "  ")
	if err != nil {
		return err
	}
	f.written = time.Now()
	return f.put(partsName, append(text, '\n'))
}

// put writes a file.
func (f *outFolder) put(name string, text []byte) error {
	return f.app.WriteResult(filepath.Join(f.dir, name), text)
}

// finish completes the list, and says that all parts are there.
func (f *outFolder) finish() error {
	if err := f.save(); err != nil {
		return err
	}
	return f.put(successName, nil)
}
