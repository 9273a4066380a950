package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/testdata/models"
)

// Standard is the name of standard input where a file is read, and of standard output where one is
// written.
const Standard = "-"

// read reads the model that a path names: a file, standard input, or a model that is part of pgmc,
// which is also found beside its package, a folder of its name.
func (a *App) read(path, name string, skeleton []*format.Table) (*model.Model, diag.List) {
	opt := a.Reading()
	opt.Skeleton = skeleton
	if path == Standard {
		return a.readInput(name, opt)
	}
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() {
		if f, text, ok := BuiltIn(path); ok && name == "" {
			return format.ReadSource(f, &format.Source{Name: path, Data: text}, format.ReadOptions{Skeleton: skeleton})
		}
	}
	m, list := format.Read(compiler.Formats, path, name, opt)
	return m, a.remedy(path, name, list)
}

// Reading bounds the texts that are read by --max-mem.
func (a *App) Reading() format.ReadOptions { return format.ReadOptions{MaxMem: a.ProcessLimit()} }

// remedy adds what may help to the errors of a model that could not be read.
func (a *App) remedy(path, name string, list diag.List) diag.List {
	var out diag.List
	_, err := os.Stat(path)
	switch _, unknown := format.Find(compiler.Formats, path, name); {
	case !list.HasErrors():
		return list
	case errors.Is(err, fs.ErrNotExist):
		out.Errorf(diag.Pos{File: path}, "no such file or directory%s", nearestFile(path))
	case unknown != nil && rowfile.HasExtension(path):
		out.Errorf(diag.Pos{File: path}, "this is a data file by its name; want a model here, and data after it")
	case unknown != nil && name == "":
		out.Errorf(diag.Pos{File: path}, "%s; or choose the format by %v", strings.TrimPrefix(unknown.Error(), path+": "), diag.Option{Name: "format"})
	default:
		return list
	}
	return out
}

// nearestFile suggests a file of the folder or a model that is part of pgmc with a near name.
func nearestFile(path string) string {
	dir, base := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	var known []string
	entries, _ := os.ReadDir(dir) // without the folder there is nothing to suggest
	for _, e := range entries {
		known = append(known, e.Name())
	}
	if near := diag.DidYouMean(base, append(known, BuiltIns()...)); near != "" {
		return near
	}
	return "; pgmc models lists the models that are part of pgmc"
}

// readInput reads a model in the format with the given name from standard input.
func (a *App) readInput(name string, opt format.ReadOptions) (_ *model.Model, list diag.List) {
	const input = "standard input"
	if name == "" {
		list.Errorf(diag.Pos{File: input}, "has no extension that tells the format; choose one of %s by %v", formatNames(), diag.Option{Name: "format"})
		return nil, list
	}
	f, err := format.Find(compiler.Formats, Standard, name)
	if err == nil && f.Folder {
		err = fmt.Errorf("a model of the format %s is a folder, which is not read from a stream", name)
	}
	var src *format.Source
	if err == nil {
		src, err = format.ReadAll(a.Stdin, input, opt)
	}
	if err != nil {
		list.Errorf(diag.Pos{File: input}, "%s", strings.TrimPrefix(err.Error(), input+": "))
		return nil, list
	}
	return format.ReadSource(f, src, opt)
}

// formatNames lists the names of the formats.
func formatNames() string {
	var names []string
	for _, f := range compiler.Formats {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// BuiltIn returns the format and the text of the model with a name, which is part of pgmc.
func BuiltIn(name string) (f format.Format, text []byte, ok bool) {
	m, text, ok := models.Find(name)
	if !ok {
		return f, nil, false
	}
	f, err := format.Find(compiler.Formats, m.File, "")
	return f, text, err == nil
}

// BuiltIns returns the names of the models that are part of pgmc, sorted.
func BuiltIns() (names []string) {
	for _, m := range models.List {
		names = append(names, m.Name)
	}
	return names
}

// WriteModel writes m to the file at path, or to standard output, in a format, after warnings of
// the format's losses. If strict is set, a loss is an error. A warning names a file that is
// replaced and held something else.
func (a *App) WriteModel(to format.Format, path string, m *model.Model, strict bool) error {
	return a.writeModel(to, path, m, strict, true)
}

// OverwriteModel writes m over its file, without a warning that it is replaced.
func (a *App) OverwriteModel(to format.Format, path string, m *model.Model) error {
	return a.writeModel(to, path, m, false, false)
}

// writeModel writes m. If other is set, a warning names a file that is replaced.
func (a *App) writeModel(to format.Format, path string, m *model.Model, strict, other bool) error {
	sink, err := format.Encode(compiler.Formats, to, path, m)
	if err != nil {
		return err
	}
	if strict && len(sink.Lost) > 0 {
		return fmt.Errorf("%s: format %s would lose %s; leave out --strict to write it all the same", path, to.Name, strings.Join(sink.Lost, "; "))
	}
	var list diag.List
	for _, what := range sink.Lost {
		list.Warnf(diag.Pos{File: path}, "lost: %s", what)
	}
	if path != Standard && other {
		for _, name := range sink.Replaces() {
			list.Warnf(diag.Pos{File: name}, "the file held something else, which is replaced")
		}
	}
	a.Warn(list.Warnings())
	if path != Standard {
		return sink.Flush()
	}
	if n := len(sink.Files); n != 1 || to.Folder {
		return fmt.Errorf("a model of the format %s is %d files, which one stream does not hold; name a file", to.Name, n)
	}
	_, err = io.Copy(a.Stdout, &sink.Files[0].Data)
	return err
}

// Format returns the format with a name that the compiler has.
func Format(name string) format.Format {
	f, err := format.Find(compiler.Formats, "", name)
	if err != nil {
		panic(err)
	}
	return f
}

// OutputFormat returns the format with the given name or, if it is empty, the format of the
// extension of path. Errors are usage errors.
func OutputFormat(path, name string) (format.Format, error) {
	if path == Standard && name == "" {
		return format.Format{}, Usage(diag.Errorf("standard output has no extension that tells the format; choose one of %s by %v", formatNames(), diag.Option{Name: "to"}))
	}
	f, err := format.Find(compiler.Formats, path, name)
	if err != nil {
		return f, Usage(err)
	}
	return f, nil
}
