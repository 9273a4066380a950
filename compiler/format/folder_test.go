package format_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// boxed is a format whose models are folders with two files.
var boxed = format.Format{
	Name:   "boxed",
	Exts:   []string{".box"},
	Folder: true,
	Read: func(src *format.Source, _ format.ReadOptions) (*model.Model, diag.List) {
		var list diag.List
		m := &model.Model{File: src.Name, Kind: model.Markov}
		for _, name := range []string{"a", "b"} {
			f, err := src.Open(name)
			if err != nil {
				list.Errorf(diag.Pos{File: src.Name}, "%v", err)
				return nil, list
			}
			m.Name += string(f.Data)
		}
		return m, list
	},
	Write: func(out *format.Sink, m *model.Model) error {
		out.Add(filepath.Join(out.Name, "a")).WriteString(m.Name[:1])
		out.Add(filepath.Join(out.Name, "b")).WriteString(m.Name[1:])
		return nil
	},
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	m := &model.Model{Name: "xyz", Kind: model.Markov}
	path := filepath.Join(dir, "m.box")
	for _, name := range []string{path, path + "/"} { // it exists the second time
		if err := format.Write([]format.Format{boxed}, name, "", m); err != nil {
			t.Fatal(err)
		}
		got, list := format.Read([]format.Format{boxed}, name, "", format.ReadOptions{})
		if list.HasErrors() || got.Name != "xyz" {
			t.Errorf("read back %v, %v", got, list.Err())
		}
		if got := ls(t, path); got != "a b" {
			t.Errorf("files: %s", got)
		}
	}
	_, list := format.Read([]format.Format{boxed}, path, "", format.ReadOptions{MaxBytes: 2})
	if err := list.Err(); err == nil || !strings.Contains(err.Error(), "m.box/b: more than 1 bytes of text; the limit is 1") {
		t.Errorf("three bytes where two are allowed: %v", err)
	}
	if err := format.Write([]format.Format{boxed}, path+".gz", "", m); err == nil || !strings.HasSuffix(err.Error(), "which is not compressed; leave out .gz") {
		t.Errorf("a compressed folder: %v", err)
	}
}

func TestFolderOverFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.box")
	if err := os.WriteFile(path, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	err := format.Write([]format.Format{boxed}, path, "", &model.Model{Name: "xyz", Kind: model.Markov})
	if err == nil || err.Error() != path+": is a file; want a folder, or a name that is free" {
		t.Errorf("writing over a file: %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "mine" {
		t.Errorf("the file is %q now", text)
	}
	_, list := format.Read([]format.Format{boxed}, path, "", format.ReadOptions{})
	if err := list.Err(); err == nil || err.Error() != path+": is a file; want a folder" {
		t.Errorf("reading a file: %v", err)
	}
}

// TestFolderUndone fails to write the second file of a folder, and checks that no part of the first
// remains.
func TestFolderUndone(t *testing.T) {
	dir := t.TempDir()
	out := &format.Sink{Name: filepath.Join(dir, "m.box")}
	out.Add(filepath.Join(out.Name, "a"))
	out.Add(filepath.Join(out.Name, "none", "b"))
	if err := out.Flush(); err == nil || ls(t, dir) != "" {
		t.Errorf("error %v, files %q; want an error and no file", err, ls(t, dir))
	}
}

// TestOpenSide opens files of a folder by names from an input.
func TestOpenSide(t *testing.T) {
	dir := t.TempDir()
	box := filepath.Join(dir, "m.box")
	if err := os.Mkdir(box, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"m.box/a": []byte("in"), "m.box/b.gz": zip(t, "packed"), "secret": []byte("out")} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../secret", filepath.Join(box, "link")); err != nil {
		t.Fatal(err)
	}
	disk, err := format.OpenFolder(box, format.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	memory := &format.Source{Name: box, Side: map[string][]byte{"a": []byte("in")}}
	for _, src := range []*format.Source{disk, memory} {
		if f, err := src.Open("a"); err != nil || string(f.Data) != "in" || f.Name != filepath.Join(box, "a") {
			t.Errorf("a: %v, %v", f, err)
		}
		for _, name := range []string{"../secret", "..", ".", "", "/etc/passwd", "none", "x/a", "link"} {
			if f, err := src.Open(name); err == nil {
				t.Errorf("%q was opened: %q", name, f.Data)
			}
		}
	}
	if _, err := (&format.Source{Name: "f"}).Open("a"); err == nil || err.Error() != "f: is a file; want a folder" {
		t.Errorf("a file beside a file: %v", err)
	}
	if f, err := disk.Open("b"); err != nil || string(f.Data) != "packed" {
		t.Errorf("b: %v, %v", f, err)
	}
}
