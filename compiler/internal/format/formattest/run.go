package formattest

import (
	"bytes"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Cases holds the inputs of a format's test.
type Cases struct {
	Models []Model
	Errors []Broken
}

// Model is an input that must be read, written and read back.
type Model struct {
	Name       string // of the subtest
	Path       string // a file; empty if Text is set
	Text       string
	Warnings   []string // all expected warnings, as they are printed
	Posteriors []Posterior
}

// Posterior is a published probability.
type Posterior struct {
	Var, State string
	Evidence   map[string]string // variable to state
	Want       float64
	Tol        float64 // 0 means 1e-12
	From       string  // where Want was published
}

// Broken is a text that must be refused.
type Broken struct {
	Name string
	Text string
	Want string // all errors, as they are printed, one on each line; the file is called Broken.Name
}

// Run checks f against cases.
func Run(t *testing.T, f format.Format, cases Cases) {
	t.Run("format", func(t *testing.T) {
		if f.Name == "" || f.Doc == "" || len(f.Exts) == 0 || f.Read == nil {
			t.Errorf("format %q lacks a name, a line of doc, an extension or a reader", f.Name)
		}
	})
	for _, c := range cases.Models {
		t.Run("model/"+c.Name, func(t *testing.T) { c.run(t, f) })
	}
	for _, c := range cases.Errors {
		t.Run("error/"+c.Name, func(t *testing.T) { c.run(t, f) })
	}
}

func (c Model) run(t *testing.T, f format.Format) {
	src := c.source(t)
	m, list := format.ReadSource(f, src, format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	if got := lines(list.Warnings()); got != strings.Join(c.Warnings, "\n") {
		t.Errorf("warnings:\n%s\nwant:\n%s", got, strings.Join(c.Warnings, "\n"))
	}
	if len(c.Posteriors) > 0 {
		balanced, _ := m.Balanced() // the product of tables in a wide range
		joint := NewJoint(t, balanced)
		for _, p := range c.Posteriors {
			p.check(t, joint)
		}
	}
	RoundTrip(t, f, m)
	Truncate(t, f, src)
	encodings(t, f, src, m)
}

// encodings checks that a byte order mark and line ends of Windows change nothing but positions,
// and that a text with a byte that is not UTF-8 is refused.
func encodings(t *testing.T, f format.Format, src *format.Source, m *model.Model) {
	t.Helper()
	if f.Folder || bytes.HasPrefix(src.Data, []byte("<?xml")) {
		return
	}
	plain := bytes.TrimPrefix(src.Data, []byte("\ufeff"))
	lf := bytes.ReplaceAll(plain, []byte("\r\n"), []byte("\n"))
	for name, data := range map[string][]byte{"byte order mark": append([]byte("\ufeff"), plain...), "CR LF": bytes.ReplaceAll(lf, []byte("\n"), []byte("\r\n"))} {
		again, list := format.ReadSource(f, &format.Source{Name: src.Name, Data: data}, format.ReadOptions{})
		if err := list.Err(); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if diff := Diff(again, m); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	half := len(plain) / 2
	bad := slices.Concat(plain[:half], []byte("\xe9\n"), plain[half:])
	if _, list := format.ReadSource(f, &format.Source{Name: src.Name, Data: bad}, format.ReadOptions{}); list.Err() == nil || !strings.Contains(list.Err().Error(), "UTF-8") {
		t.Errorf("a byte that is not UTF-8: %v", list.Err())
	}
}

func (c Model) source(t *testing.T) *format.Source {
	t.Helper()
	if c.Path == "" {
		return &format.Source{Name: c.Name, Data: []byte(c.Text)}
	}
	src, err := format.OpenSource(c.Path, format.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func (p Posterior) check(t *testing.T, joint *Joint) {
	t.Helper()
	tol := p.Tol
	if tol == 0 {
		tol = 1e-12
	}
	got := joint.Posterior(t, p.Var, p.State, p.Evidence)
	if !(math.Abs(got-p.Want) <= tol*max(1, math.Abs(p.Want))) {
		t.Errorf("P(%s=%s | %v) = %.15g; want %.15g (%s)", p.Var, p.State, p.Evidence, got, p.Want, p.From)
	}
}

func (c Broken) run(t *testing.T, f format.Format) {
	src := &format.Source{Name: c.Name, Data: []byte(c.Text)}
	m, list := format.ReadSource(f, src, format.ReadOptions{})
	if got := lines(list.Errors()); got != c.Want {
		t.Errorf("errors:\n%s\nwant:\n%s", got, c.Want)
	}
	if list.HasErrors() && m != nil {
		t.Error("a model beside errors")
	}
	Truncate(t, f, src)
}

// Truncate cuts a text short, at every byte if it is small and at a thousand places otherwise. It
// checks that each piece yields a model or an error with the name of the file.
func Truncate(t *testing.T, f format.Format, src *format.Source) {
	t.Helper()
	step := 1 + len(src.Data)/1000
	for n := 0; n < len(src.Data); n += step {
		cut := &format.Source{Name: src.Name, Data: src.Data[:n:n]}
		m, list := format.ReadSource(f, cut, format.ReadOptions{})
		if (m != nil) == list.HasErrors() {
			t.Fatalf("cut at byte %d: model %v, errors %v; want one of them", n, m != nil, list.Err())
		}
		for _, d := range list.Errors() {
			if d.Pos.File != src.Name {
				t.Fatalf("cut at byte %d: message without the file: %v", n, d)
			}
		}
	}
}

// RoundTrip writes m and reads it back. It checks that only positions changed, and that writing
// twice yields the same bytes. If the format reports a loss, only the distribution must be the
// same: the numbers of states, and the scope and values of each factor. The model that was read
// must then survive a second trip without loss. RoundTrip reports whether the format can hold the
// model.
func RoundTrip(t testing.TB, f format.Format, m *model.Model) bool {
	t.Helper()
	if f.Write == nil {
		return false
	}
	out, text, ok := encode(t, f, m)
	if !ok {
		return false
	}
	again, list := format.ReadSource(f, written(f, m.File, out), format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatalf("reading back what was written: %v\n%s", err, clip(text))
	}
	want := m
	if len(out.Lost) > 0 {
		want = renamed(m, again)
	}
	if diff := Diff(again, want); diff != "" {
		t.Fatalf("after writing and reading: %s\n%s", diff, clip(text))
	}
	second, text2, _ := encode(t, f, again)
	if string(text2) != string(text) {
		t.Fatalf("written a second time it differs:\n%s\nfirst:\n%s", clip(text2), clip(text))
	}
	if len(second.Lost) > 0 {
		t.Fatalf("written a second time it loses more: %q", second.Lost)
	}
	return true
}

// encode returns the files that hold m, and their text together.
func encode(t testing.TB, f format.Format, m *model.Model) (out *format.Sink, text []byte, ok bool) {
	t.Helper()
	out, err := format.Encode(nil, f, "out"+f.Exts[0], m)
	if err != nil {
		t.Logf("not written: %v", err)
		return nil, nil, false
	}
	for _, file := range out.Files {
		text = append(text, file.Data.Bytes()...)
	}
	return out, text, true
}

// written returns the output as a source of the given name: a folder, or the main file.
func written(f format.Format, name string, out *format.Sink) *format.Source {
	src := &format.Source{Name: name, Data: out.Files[0].Data.Bytes()}
	if f.Folder {
		src.Data, src.Side = nil, map[string][]byte{}
		for _, file := range out.Files {
			src.Side[filepath.Base(file.Name)] = file.Data.Bytes()
		}
	}
	return src
}

// clip shortens a text for a message.
func clip(text []byte) []byte { return text[:min(len(text), 4000)] }

func lines(ds []diag.Diagnostic) string {
	text := make([]string, len(ds))
	for i, d := range ds {
		text[i] = d.Error()
	}
	return strings.Join(text, "\n")
}
