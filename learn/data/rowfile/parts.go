package rowfile

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/plain"
)

// Part is a file of a data set of several files.
type Part struct {
	Path string // of the file
	Name string // the path below the root of the data set, with slashes
	keys []key
	// columns are those of the file, which may share them with other parts; nil before it is
	// opened.
	columns []data.Column
}

// key is the value of a column that a folder called name=value gives to all rows of its files.
type key struct {
	name, value string
	missing     bool
}

// maxDepth bounds the folders within each other, because links may lead in a circle.
const maxDepth = 64

// FindParts returns the files of the data set at path, in the order of their names: those in the
// folder at path and in the folders below it, or in the files and folders that match path as a
// pattern of [filepath.Match]. It leaves out names that begin with "_" or ".". It returns nil if
// path is the path of something else.
func FindParts(path string) ([]Part, error) {
	info, err := os.Stat(path)
	f := finder{root: filepath.Clean(path)}
	switch {
	case err == nil && info.IsDir():
		err = f.folder(f.root, 0)
	case err != nil && hasMeta(path):
		err = f.pattern(path)
	default:
		return nil, nil
	}
	if err == nil && f.parts == nil {
		err = errors.New("the data set has no file; want one at least, and names that begin with _ or . do not count")
	}
	if err != nil {
		return nil, plain.Fail(diag.Pos{File: path}, err)
	}
	slices.SortFunc(f.parts, func(a, b Part) int { return strings.Compare(a.Name, b.Name) })
	return f.parts, nil
}

// hasMeta reports whether a path is a pattern.
func hasMeta(path string) bool { return strings.ContainsAny(path, "*?[") }

// finder collects the parts of a data set.
type finder struct {
	root  string
	parts []Part
}

// pattern adds the files that match a pattern, and those in folders that do.
func (f *finder) pattern(pattern string) error {
	matches, err := filepath.Glob(filepath.Clean(pattern))
	if err != nil {
		return err
	}
	for f.root = filepath.Clean(pattern); hasMeta(f.root); {
		f.root = filepath.Dir(f.root)
	}
	for _, m := range matches {
		if err := f.add(m, 0); err != nil {
			return err
		}
	}
	return nil
}

// folder adds the files in a folder.
func (f *finder) folder(dir string, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("%s: there are more than %d folders in each other; want fewer, and no link to a folder above", dir, maxDepth)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := f.add(filepath.Join(dir, e.Name()), depth+1); err != nil {
			return err
		}
	}
	return nil
}

// add adds a file, or the files in a folder.
func (f *finder) add(file string, depth int) error {
	name, err := filepath.Rel(f.root, file)
	if err != nil {
		return err
	}
	p := Part{Path: file, Name: filepath.ToSlash(name)}
	for _, folder := range strings.Split(p.Name, "/") {
		if folder[0] == '_' || folder[0] == '.' {
			return nil
		}
	}
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return f.folder(file, depth)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file; want files and folders only", file)
	}
	if p.keys, err = keysOf(f.root, path.Dir(p.Name)); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	f.parts = append(f.parts, p)
	return nil
}

// keysOf returns the keys of the folders below root, and of those with which root ends.
func keysOf(root, below string) (list []key, err error) {
	folders := strings.Split(filepath.ToSlash(root), "/")
	first := len(folders)
	for first > 0 && strings.IndexByte(folders[first-1], '=') > 0 {
		first--
	}
	for _, folder := range append(folders[first:], strings.Split(below, "/")...) {
		name, value, ok := strings.Cut(folder, "=")
		if !ok || name == "" {
			continue
		}
		k := key{unescape(name), unescape(value), value == "__HIVE_DEFAULT_PARTITION__"}
		switch {
		case !utf8.ValidString(k.name+k.value) || strings.Contains(k.name+k.value, "\x00"):
			return nil, fmt.Errorf("the folder %q names a text that is not in UTF-8 or has a NUL byte", folder)
		case slices.ContainsFunc(list, func(x key) bool { return x.name == k.name }):
			return nil, fmt.Errorf("two folders of the path give a value of %q; want one", k.name)
		}
		list = append(list, k)
	}
	return list, nil
}

// unescape replaces %41 by A and so on, as Hive does, and keeps a percent sign without two digits.
func unescape(s string) string {
	var b []byte
	for i := 0; i < len(s); i++ {
		b = append(b, s[i])
		if s[i] == '%' && i+2 < len(s) {
			if x, err := hex.DecodeString(s[i+1 : i+3]); err == nil {
				b[len(b)-1] = x[0]
				i += 2
			}
		}
	}
	return string(b)
}
