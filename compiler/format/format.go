// Package format defines a file format of models, and finds the format of a file, reads it and
// writes it.
//
// A [Format] is a value: a name, extensions and two functions, one from text to [model.Model] and
// one back. Every format has a package of its own in the compiler, which lists all formats in one
// slice. Callers pass that slice to the functions here. Input is untrusted: [ReadOptions] bounds
// the input, and a reader reports mistakes as diagnostics with positions. A [Sink] collects output,
// which reaches the disk only when it is complete.
//
// The package knows no syntax, and it changes no numbers: [model.Model.NormalizeRows] handles rows
// that miss 1 by rounding.
package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Names of formats that programs treat in ways of their own.
const (
	BIF      = "bif"
	UAI      = "uai"
	LibraMN  = "mn"
	LibraDN  = "dn"
	LibraAC  = "ac"
	LibraSPN = "spn"
)

// Format is one file format.
type Format struct {
	Name string   // short, lower case: "bif"
	Doc  string   // one line
	Exts []string // with the dot, lower case, most usual first: ".bif"

	Undefined bool         // rows of CPDs may be undefined, see [model.Model.NormalizeRows]; Encode refuses them for others
	Counts    bool         // the format keeps the counts of CPDs, see model.Factor
	Described bool         // the format keeps descriptions
	Diagrams  bool         // the format keeps decisions and utilities, see model.Diagram
	Takes     model.Traits // kinds of models besides plain discrete ones; Encode refuses the others

	// Folder reports that a model is a folder of files, which Read opens with [Source.Open]. A
	// folder cannot be compressed as a whole.
	Folder bool

	Plates bool // the format has plates, with the objects of [ReadOptions].Skeleton

	// Claims reports whether a text is of this format rather than of others with the same
	// extension. It is nil for the first of them, which reads what nobody claims. It only chooses a
	// reader: Read still reports the faults.
	Claims func(text []byte) bool

	// Wide reports that Read keeps potentials that float64 does not hold. Other formats get a
	// warning of numbers that become 0.
	Wide bool

	// Read returns the model as the file has it, unchecked, and the syntax errors. The model may be
	// nil or incomplete if there are errors. Call [ReadSource] to check it too.
	Read func(*Source, ReadOptions) (*model.Model, diag.List)

	// Write adds the files of a checked model to a sink. It passes losses other than of the
	// distribution to Sink.Warn. It returns an error that names the cause if the format cannot hold
	// the distribution. Write is nil if the format has no writer.
	Write func(*Sink, *model.Model) error

	// Evidence reads a file of evidence on the variables of a model: samples, with the number of a
	// state for each variable, or -1 for a variable that is not observed. Query reads a file that
	// lists the variables of a marginal MAP query. Both are nil unless the format has such files.
	Evidence func(*Source, *model.Model) ([][]int, diag.List)
	Query    func(*Source, *model.Model) ([]model.VarID, diag.List)
}

// Find returns the format called name or, if name is empty, the format with the extension of path,
// ignoring ".gz". If a format of files and one of folders share the extension, the file or folder
// at path decides; if there is neither, Find returns the first.
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
	info, err := os.Stat(path)
	switch {
	case name == "" && longest == 0 && err == nil && info.IsDir():
		return Format{}, fmt.Errorf("%s: this is a folder; want a file with a model", path)
	case name != "":
		return Format{}, fmt.Errorf("unknown format %q; want %s", name, known(formats))
	case longest == 0:
		return Format{}, fmt.Errorf("%s: cannot tell the format from the name; want the extension of a format, such as %s", path, formats[0].Exts[0])
	}
	return found, nil
}

// suits reports whether the folder or file at path fits the format.
func (f Format) suits(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return !f.Folder || !strings.HasSuffix(strings.ToLower(path), gzExt)
	}
	return info.IsDir() == f.Folder
}

// known lists formats for error messages: `bif (.bif), uai (.uai)`.
func known(formats []Format) string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = fmt.Sprintf("%s (%s)", f.Name, strings.Join(f.Exts, " "))
	}
	return strings.Join(names, ", ")
}

// Read reads and checks the model in the file at path. The name is its format's, or empty to go by
// the extension. The model is nil if there are errors.
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
		if errors.As(err, &pathErr) { // its text repeats the path
			err = pathErr.Err
		}
		opt.refuse(&list, path, err)
		return nil, list
	}
	if name == "" && !f.Folder {
		f = claimant(formats, f, path, src.Data)
	}
	return ReadSource(f, src, opt)
}

// refuse adds an error of opening a source. A text that is longer than MaxMem allows is named with
// it.
func (o ReadOptions) refuse(list *diag.List, path string, err error) {
	text := strings.TrimPrefix(err.Error(), path+": ")
	if long := (*longError)(nil); errors.As(err, &long) && long.why == "" && o.MaxMem > 0 {
		const share = "%s, one byte for %d of %v"
		if long.size < 0 {
			list.Errorf(diag.Pos{File: path}, share, text, textShare, diag.Option{Name: "max-mem"})
		} else {
			want := diag.Option{Name: "max-mem", Value: fmt.Sprintf("%dMiB", long.size*textShare>>20+1)}
			list.Errorf(diag.Pos{File: path}, share+"; %d bytes want %v or more", text, textShare, diag.Option{Name: "max-mem"}, long.size, want)
		}
		return
	}
	list.Errorf(diag.Pos{File: path}, "%s", text)
}

// ReadFrom reads and checks the model of a file with the given name from r, which may be
// compressed. The format is by the name and the text; it must be one of files. The model is nil if
// there are errors.
func ReadFrom(formats []Format, name string, r io.Reader, opt ReadOptions) (*model.Model, diag.List) {
	var list diag.List
	f, err := Find(formats, name, "")
	if err == nil && f.Folder {
		err = fmt.Errorf("a model of the format %s is a folder, which is not read from a stream", f.Name)
	}
	var src *Source
	if err == nil {
		src, err = ReadAll(r, name, opt)
	}
	if err != nil {
		list.Errorf(diag.Pos{File: name}, "%s", strings.TrimPrefix(err.Error(), name+": "))
		return nil, list
	}
	return ReadSource(claimant(formats, f, name, src.Data), src, opt)
}

// claimant returns the format that claims the text of a file with an extension of f, or f.
func claimant(formats []Format, f Format, path string, text []byte) Format {
	base := strings.TrimSuffix(strings.ToLower(filepath.Base(path)), gzExt)
	for _, g := range formats {
		if g.Claims == nil || !g.Claims(text) {
			continue
		}
		for _, ext := range g.Exts {
			if strings.HasSuffix(base, ext) && slices.Contains(f.Exts, ext) {
				return g
			}
		}
	}
	return f
}

// ReadSource reads and checks the model in src. The model is nil if there are errors.
func ReadSource(f Format, src *Source, opt ReadOptions) (*model.Model, diag.List) {
	src, bad := src.text()
	if bad != nil {
		var list diag.List
		list.Add(*bad)
		return nil, list
	}
	if len(opt.Skeleton) > 0 && !f.Plates {
		var list diag.List
		list.Errorf(diag.Pos{File: src.Name}, "the format %s has no plates for the objects of %s; want a model of the format json", f.Name, opt.Skeleton[0].Name)
		return nil, list
	}
	m, list := f.Read(src, opt.WithDefaults())
	if !f.Wide {
		warnLost(src, &list)
	}
	if !list.HasErrors() {
		list.Append(m.Check())
	}
	if list.HasErrors() {
		return nil, list
	}
	return m, list
}

// warnLost warns of the first number that is too small for float64: a mantissa that is not 0, and
// an exponent of at least three digits.
func warnLost(src *Source, list *diag.List) {
	const digits = "0123456789"
	for at := 0; ; {
		i := bytes.IndexByte(src.Data[at:], '-')
		if i < 0 {
			return
		}
		start, end := at+i-1, at+i+1
		if at = end; start < 0 || src.Data[start]|0x20 != 'e' {
			continue
		}
		for end < len(src.Data) && strings.IndexByte(digits, src.Data[end]) >= 0 {
			end++
		}
		if end-at < len("324") {
			continue
		}
		for start > 0 && strings.IndexByte(digits+".", src.Data[start-1]) >= 0 {
			start--
		}
		if start > 0 && (src.Data[start-1] == '_' || unicode.IsLetter(rune(src.Data[start-1]))) {
			continue // a name
		}
		number := string(src.Data[start:end])
		if x, err := strconv.ParseFloat(number, 64); err == nil && x == 0 && strings.Trim(number[:at-len("e-")-start], "0.") != "" {
			line := bytes.Count(src.Data[:start], []byte("\n"))
			pos := diag.Pos{File: src.Name, Line: 1 + line, Col: start - bytes.LastIndexByte(src.Data[:start], '\n')}
			list.Warnf(pos, "%.40s is too small for float64 and becomes 0", number)
			return
		}
	}
}

// Encode returns the files that hold m in format f. The main file is called path, and files with
// names that end in ".gz" are compressed. If f cannot hold the model, the error is a
// *model.Untaken, which names the formats that can; formats may be nil.
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
	if err := checkNames(m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := Refuse(formats, f, m.Needs()); err != nil {
		return nil, err
	}
	if u := m.Undefined(); u != nil && !f.Undefined {
		return nil, fmt.Errorf("%s: the %s has undefined rows (NaN), which format %s does not hold; want numbers, or one of %s", path, m.FactorName(u), f.Name,
			known(slices.DeleteFunc(slices.Clone(formats), func(f Format) bool { return f.Write == nil || !f.Undefined })))
	}
	out := &Sink{Name: path}
	if err := f.Write(out, m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !f.Counts && slices.ContainsFunc(m.Factors, func(f *model.Factor) bool { return f.Counts != nil }) {
		out.Warn("counts of the data behind the numbers: only the format json keeps them")
	}
	if !f.Described && m.Described() {
		out.Warn("descriptions: only the format json keeps them")
	}
	if !f.Counts && len(m.Tied) > 0 {
		out.Warn("which CPDs share their numbers: only the format json keeps that")
	}
	if !f.Diagrams && m.Diagram != nil {
		out.Warn("decisions and utilities: only the formats json and xmlbif keep them")
	}
	if err := out.compress(); err != nil {
		return nil, err
	}
	return out, nil
}

// checkNames returns an error if a name is not UTF-8, which no reader accepts.
func checkNames(m *model.Model) error {
	names := []string{m.Name, m.Description}
	for _, v := range m.Vars {
		names = append(append(names, v.Name, v.Description), m.States(v.ID)...)
	}
	if m.Diagram != nil {
		for _, u := range m.Diagram.Utilities {
			names = append(names, u.Name, u.Criterion)
		}
		for _, c := range m.Diagram.Criteria {
			names = append(names, c.Name, c.Unit)
		}
	}
	for _, s := range names {
		if !utf8.ValidString(s) {
			return fmt.Errorf("the model has the name %q, which is not UTF-8", s)
		}
	}
	return nil
}

// Refuse returns a *model.Untaken if f cannot hold one of the needs of a model. The error names the
// formats that can, and are written.
func Refuse(formats []Format, f Format, needs []model.Need) error {
	var takers []model.Taker
	for _, x := range formats {
		if x.Write != nil {
			takers = append(takers, model.Taker{Name: x.Name, Takes: x.Takes})
		}
	}
	return model.Refuse("format", f.Name, f.Takes, needs, takers)
}

// Write writes m to the file at path, and to side files if the format has them. The name is the
// format's, or empty to go by the extension. Either all files appear, complete, or none.
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
