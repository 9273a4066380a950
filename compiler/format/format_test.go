package format_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// plain is a format whose text is the name of the model. The text "bad" yields an invalid model.
var plain = format.Format{
	Name: "plain",
	Exts: []string{".pl"},
	Read: func(src *format.Source, _ format.ReadOptions) (*model.Model, diag.List) {
		m := &model.Model{Name: string(src.Data), File: src.Name, Kind: model.Markov}
		m.NewVar("a", "x")
		if m.Name == "bad" {
			m.NewVar("a", "x")
		}
		return m, diag.List{}
	},
	Write: func(out *format.Sink, m *model.Model) error {
		out.Add(out.Name).WriteString(m.Name)
		return nil
	},
}

// paired is a format whose extension ends like another one.
var paired = format.Format{
	Name: "paired",
	Exts: []string{".two.pl"},
	Write: func(out *format.Sink, m *model.Model) error {
		out.Add(out.Name).WriteString(m.Name)
		out.Add(out.Name + ".side").WriteString("side")
		return nil
	},
}

var all = []format.Format{plain, paired}

func TestFind(t *testing.T) {
	for _, c := range []struct{ path, name, want, err string }{
		{"x.pl", "", "plain", ""},
		{"x.PL.gz", "", "plain", ""},
		{"x.two.pl", "", "paired", ""},
		{"x.txt", "paired", "paired", ""},
		{"x.txt", "", "", "x.txt: cannot tell the format from the name; want the extension of a format, such as .pl"},
		{"x.pl", "other", "", `unknown format "other"; want plain (.pl), paired (.two.pl)`},
		{"dir.pl/x", "", "", "dir.pl/x: cannot tell the format from the name; want the extension of a format, such as .pl"},
	} {
		f, err := format.Find(all, c.path, c.name)
		if f.Name != c.want || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("Find(%q, %q) = %q, %v; want %q, %q", c.path, c.name, f.Name, err, c.want, c.err)
		}
	}
}

func TestOpenSource(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name, path, want, err string
		max                   int64
	}{
		{name: "plain", path: put("a.pl", []byte("abc")), want: "abc"},
		{name: "at the limit", path: put("b.pl", []byte("abc")), want: "abc", max: 3},
		{name: "above the limit", path: put("c.pl", []byte("abcd")), err: "more than 3 bytes of text; the limit is 3", max: 3},
		{name: "gzip", path: put("d.pl.gz", zip(t, "abc")), want: "abc"},
		{name: "gzip by content", path: put("e.pl", zip(t, "abc")), want: "abc"},
		{name: "gzip bomb", path: put("f.pl.gz", zip(t, strings.Repeat("0", 1<<20))), err: "more than 1000 bytes of text; the limit is 1000", max: 1000},
		{name: "gzip cut short", path: put("g.pl.gz", zip(t, "abc")[:15]), err: "is cut off; get the whole file"},
		{name: "not gzip", path: put("h.pl.gz", []byte("abc")), err: "not a gzip file: "},
		{name: "empty", path: put("i.pl", nil), want: ""},
		{name: "no file", path: filepath.Join(dir, "none"), err: "no such file"},
		{name: "folder", path: dir, err: "is a directory"},
	} {
		src, err := format.OpenSource(c.path, format.ReadOptions{MaxBytes: c.max})
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) || !strings.Contains(err.Error(), c.path) {
				t.Errorf("%s: error %v; want the path and %q", c.name, err, c.err)
			}
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		case string(src.Data) != c.want || src.Name != c.path:
			t.Errorf("%s: %q with %q; want %q", c.name, src.Name, src.Data, c.want)
		}
	}
}

func zip(t *testing.T, text string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestReadErrors(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.pl")
	if err := os.WriteFile(bad, []byte("bad"), 0o666); err != nil {
		t.Fatal(err)
	}
	none := filepath.Join(dir, "none.pl")
	for _, c := range []struct{ path, want string }{
		{bad, bad + `: variable "a" is declared twice; first at ` + bad},
		{none, none + ": no such file or directory"},
		{"x.txt", "x.txt: cannot tell the format from the name; want the extension of a format, such as .pl"},
	} {
		m, list := format.Read(all, c.path, "", format.ReadOptions{})
		if m != nil || list.Err() == nil || list.Err().Error() != c.want {
			t.Errorf("Read(%q) = %v, %v; want %s", c.path, m, list.Err(), c.want)
		}
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	m := &model.Model{Name: "abc", Kind: model.Markov}
	for _, name := range []string{"a.pl", "b.pl.gz", "c.two.pl"} {
		path := filepath.Join(dir, name)
		if err := format.Write(all, path, "", m); err != nil {
			t.Fatal(err)
		}
		src, err := format.OpenSource(path, format.ReadOptions{})
		if err != nil || string(src.Data) != "abc" {
			t.Errorf("%s: read back %v, %v", name, src, err)
		}
	}
	if got := ls(t, dir); got != "a.pl b.pl.gz c.two.pl c.two.pl.side" {
		t.Errorf("files: %s", got)
	}
	first, err := os.ReadFile(filepath.Join(dir, "b.pl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(first, []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00")) {
		t.Errorf("gzip header % x holds a name or a time", first[:8])
	}
}

// TestWriteFails checks that no file appears if one of two cannot be written.
func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "c.two.pl")
	if err := os.Mkdir(path, 0o777); err != nil { // a folder takes the place of the file
		t.Fatal(err)
	}
	if err := format.Write(all, path, "", &model.Model{Kind: model.Markov}); err == nil {
		t.Error("no error for a folder in the way")
	}
	if got := ls(t, dir); got != "c.two.pl" {
		t.Errorf("files: %s", got)
	}
	wrong := &model.Model{Vars: []*model.Var{{Name: "a", Domain: model.Discrete{States: []string{"x", "x"}}}}}
	if err := format.Write(all, filepath.Join(dir, "d.pl"), "", wrong); err == nil || !strings.Contains(err.Error(), `two states called "x"`) {
		t.Errorf("writing a wrong model: %v", err)
	}
}

// TestEncode checks the reports of losses, and the errors for formats that cannot be written.
func TestEncode(t *testing.T) {
	lossy := plain
	lossy.Write = func(out *format.Sink, m *model.Model) error {
		out.Warn("%s of states: %s has none", "names", "plain")
		return plain.Write(out, m)
	}
	out, err := format.Encode(nil, lossy, "a.pl", &model.Model{Name: "abc", Kind: model.Markov})
	if err != nil || len(out.Lost) != 1 || out.Lost[0] != "names of states: plain has none" || out.Files[0].Data.String() != "abc" {
		t.Errorf("got %+v, %v", out, err)
	}
	readOnly := plain
	readOnly.Write = nil
	_, err = format.Encode(nil, readOnly, "a.pl", &model.Model{Kind: model.Markov})
	if want := "a.pl: the format plain is only read; choose another"; err == nil || err.Error() != want {
		t.Errorf("got %v; want %s", err, want)
	}
}

func ls(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// TestNames has names that are not UTF-8, which no format writes.
func TestNames(t *testing.T) {
	for _, n := range [][3]string{{"a\xff", "v", "s"}, {"n", "a\xff", "s"}, {"n", "v", "a\xff"}} {
		m := &model.Model{Name: n[0], Kind: model.Markov}
		m.NewVar(n[1], n[2])
		f := format.Format{Name: "any", Write: func(*format.Sink, *model.Model) error { return nil }}
		if _, err := format.Encode(nil, f, "x", m); err == nil || err.Error() != `x: the model has the name "a\xff", which is not UTF-8` {
			t.Errorf("%q: %v", n, err)
		}
	}
}
