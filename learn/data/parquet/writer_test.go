package parquet_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	peer "github.com/parquet-go/parquet-go"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/parquet"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// columns are of each kind, with names that other formats quote.
var columns = []data.Output{{Name: "a b"}, {Name: "ö\"', "}, {Name: "real", Kind: data.Reals}, {Name: "id", Kind: data.Integers}, {Name: "key"}, {Name: "none"}}

// written returns a file of n rows and their cells.
func written(t testing.TB, n int, seed uint64) ([]byte, [][]string) {
	t.Helper()
	var b bytes.Buffer
	w, err := parquet.NewWriter(&b, columns)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	var want [][]string
	for i := range n {
		line := []string{[]string{"yes", "no", "\x00", "may\nbe"}[rng.IntN(4)], "one", formatReal(rng.NormFloat64()), fmt.Sprint(rng.Int64() - math.MaxInt64/2), fmt.Sprint("key ", i), "\x00"}
		if i%5000 > 4000 {
			line[0], line[2], line[3] = "no", "\x00", "\x00"
		}
		for k, s := range line {
			switch {
			case s == "\x00" && k == 2:
				w.Number(math.NaN())
			case s == "\x00":
				w.Missing()
			default:
				w.Text(s)
			}
		}
		if err := w.End(); err != nil {
			t.Fatal(err)
		}
		want = append(want, line)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), want
}

// TestWriter reads what a Writer wrote, by this package and by the other one.
func TestWriter(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 20000, 140000} {
		b, want := written(t, n, 5)
		got, err := cells(b, rowfile.ReadOptions{})
		if err != nil || len(got) != n {
			t.Fatalf("%d rows of %d: %v", len(got), n, err)
		}
		f, err := peer.OpenFile(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		r := peer.NewReader(f)
		all := make([]peer.Row, 1)
		for i := range want {
			if !slices.Equal(got[i], want[i]) {
				t.Fatalf("row %d of %d: %q; want %q", i, n, got[i], want[i])
			}
			if _, err := r.ReadRows(all); i+1 < n && err != nil {
				t.Fatal(err)
			}
			for k, v := range all[0] {
				text := v.String()
				switch {
				case v.IsNull():
					text = "\x00"
				case v.Kind() == peer.Double:
					text = formatReal(v.Double())
				}
				if at := index(f, v.Column()); text != want[i][at] {
					t.Fatalf("row %d, value %d: other reader has %q; want %q", i, k, text, want[i][at])
				}
			}
		}
		if again, _ := written(t, n, 5); !bytes.Equal(again, b) {
			t.Errorf("%d rows have other bytes the second time", n)
		}
	}
}

// index returns the place in columns of a column of a file.
func index(f *peer.File, column int) int {
	return slices.IndexFunc(columns, func(c data.Output) bool { return c.Name == f.Schema().Columns()[column][0] })
}

func TestWriterErrors(t *testing.T) {
	if _, err := parquet.NewWriter(&bytes.Buffer{}, []data.Output{{Name: "a"}, {Name: "a"}}); err == nil || err.Error() != `two columns are called "a"; want different names` {
		t.Error(err)
	}
	for _, c := range []struct {
		name string
		kind data.Kind
		text string
	}{
		{"bytes", data.Texts, "\xff"},
		{"number", data.Reals, "x"},
		{"integer", data.Integers, "1.5"},
	} {
		w, err := parquet.NewWriter(&bytes.Buffer{}, []data.Output{{Name: c.name, Kind: c.kind}})
		if err != nil {
			t.Fatal(err)
		}
		w.Text(c.text)
		if err := w.End(); err == nil {
			t.Errorf("%s: no error", c.name)
		}
	}
}
