package beam

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/generated/hydro"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/parquet"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// repeat runs a question as a runner does that cuts bundles before they end: each element is a
// bundle, tried some times, and what a try that was cut has emitted is dropped. One worker does
// all.
func repeat(t testing.TB, q question, times int) (s Summary, bad int) {
	t.Helper()
	list := listFn{q.Options}
	var work []Work
	if err := list.ProcessElement(t.Context(), nil, func(w Work) { work = append(work, w) }); err != nil {
		t.Fatal(err)
	}
	ask := askFn{Question: q}
	var parts []Part
	for _, w := range slices.Backward(work) {
		for try := range times {
			if try%2 == 1 { // this try ends within the element
				ctx, cancel := context.WithCancel(t.Context())
				err := ask.ProcessElement(ctx, w, func(Part) {}, func(Bad) { cancel() })
				if cancel(); err == nil {
					t.Fatal("no error after the end of the context")
				}
			}
			var emitted []Part
			bads := 0
			if err := ask.ProcessElement(t.Context(), w, func(p Part) { emitted = append(emitted, p) }, func(Bad) { bads++ }); err != nil {
				t.Fatal(err)
			}
			if try == times-1 {
				parts, bad = append(parts, emitted...), bad+bads
			}
		}
	}
	if _, err := os.Stat(filepath.Join(q.Options.Out, success)); err == nil && q.Options.Out != "" {
		t.Errorf("%s is there before the end", success)
	}
	next := func(p *Part) bool {
		if len(parts) == 0 {
			return false
		}
		*p, parts = parts[0], parts[1:]
		return true
	}
	finish := finishFn{q.Options}
	if err := finish.ProcessElement(t.Context(), 0, next, func(x Summary) { s = x }); err != nil {
		t.Fatal(err)
	}
	return s, bad
}

// files returns the contents of the files in a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	list := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		list[e.Name()] = string(text)
	}
	return list
}

// groups writes the rows of a CSV file of asia as a Parquet file of several row groups.
func groups(t *testing.T, dir string, x *sample) string {
	t.Helper()
	r, err := rowfile.Open(x.files[0], rowfile.CSV)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var columns []data.Output
	for _, c := range r.Columns {
		columns = append(columns, data.Output{Name: c.Name})
	}
	var text bytes.Buffer
	w, err := parquet.NewWriter(&text, columns)
	if err != nil {
		t.Fatal(err)
	}
	var list [][]string
	for {
		rec, err := r.Next()
		if err != nil {
			break
		}
		var row []string
		for _, c := range rec.Cells {
			row = append(row, c.Text)
		}
		list = append(list, row)
	}
	for i := range 300_000 {
		for _, s := range list[i%len(list)] {
			if s == "" {
				w.Missing()
			} else {
				w.Text(s)
			}
		}
		if err := w.End(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "rows.parquet")
	if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRepeated checks that the files and sums of bundles that are repeated, or cut before their
// end, are those of one run, and also those of Prism.
func TestRepeated(t *testing.T) {
	x := samples[0]
	x.write(t, "csv", 700)
	in := []string{groups(t, t.TempDir(), &x), x.files[1]}
	for _, q := range []question{
		{Kind: scoring, Options: Options{Keep: []string{"smoke"}}},
		{Kind: predicting, Targets: []string{"lung"}},
		{Kind: counting, Families: [][]string{{"lung", "smoke"}}},
	} {
		q.Options.Model, q.Options.Files = "asia", in
		q.Options.Out = filepath.Join(t.TempDir(), "0")
		want, list, _, err := run(t, q)
		if err != nil {
			t.Fatal(err)
		}
		if want.Parts != 4 || want.Bad == 0 || want.Rows+want.Bad != 300_000+int64(x.rows+x.worst)/2 {
			t.Errorf("found %+v; want 4 parts with all rows", want)
		}
		names := files(t, q.Options.Out)
		for i, times := range []int{1, 2, 5} {
			q.Options.Out = filepath.Join(t.TempDir(), string(rune('1'+i)))
			got, bad := repeat(t, q, times)
			if !equal(got, want) || bad != len(list) {
				t.Errorf("%s, %d times: %+v and %d bad rows; want %+v and %d", q.Kind, times, got, bad, want, len(list))
			}
			if got := files(t, q.Options.Out); !maps.Equal(got, names) {
				t.Errorf("%s, %d times: the files %q differ from those of one run, %q", q.Kind, times, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(names)))
			}
		}
	}
}

func equal(x, y Summary) bool {
	counts := bytes.Equal(x.Counts, y.Counts)
	x.Counts, y.Counts = nil, nil
	return counts && x.Parts == y.Parts && x.Rows == y.Rows && x.Incomplete == y.Incomplete && x.Bad == y.Bad && x.Mean == y.Mean && x.StdErr == y.StdErr
}

// broken is a package with a query that panics.
type broken struct{ hydro.Engine }

// panics says that the queries of broken panic.
var panics = true

func (b *broken) LogProbColumns(c *hydro.Columns, out []float64) error {
	if panics && c.Rows > 0 {
		panic("the tape is torn")
	}
	return hydro.New().LogProbColumns(c, out)
}

var _ = Register("broken", hydro.Variables(), func() *broken { return &broken{} })

// TestFails checks that a panic in a package fails the job and not the process, that the result is
// then not complete, and that a second run completes it.
func TestFails(t *testing.T) {
	x := samples[1]
	x.write(t, "parquet", 300)
	out := filepath.Join(t.TempDir(), "out")
	q := question{Kind: scoring, Options: Options{Model: "broken", Files: x.files, Out: out}}
	if _, _, _, err := run(t, q); err == nil || !strings.Contains(err.Error(), "the tape is torn") || !strings.Contains(err.Error(), x.files[0]) && !strings.Contains(err.Error(), x.files[1]) {
		t.Errorf("error %v", err)
	}
	for name := range files(t, out) {
		t.Errorf("the file %s is there", name)
	}
	if err := os.WriteFile(filepath.Join(out, aside+"0"), nil, 0o666); err != nil { // as a killed worker leaves it
		t.Fatal(err)
	}
	panics = false
	defer func() { panics = true }()
	s, _, _, err := run(t, q)
	if err != nil || s.Rows != int64(x.rows) {
		t.Fatalf("found %+v, error %v", s, err)
	}
	if names := files(t, out); len(names) != 3 {
		t.Errorf("found the files %q; want two parts and %s", slices.Sorted(maps.Keys(names)), success)
	}
	if _, _, _, err = run(t, q); err == nil || !strings.Contains(err.Error(), "the folder has a complete result") {
		t.Errorf("error %v", err)
	}
	if err := os.Remove(filepath.Join(out, success)); err != nil {
		t.Fatal(err)
	}
	q.Options.Files = x.files[:1]
	if _, _, _, err = run(t, q); err == nil || !strings.Contains(err.Error(), "the part is of another run") {
		t.Errorf("error %v", err)
	}
}
