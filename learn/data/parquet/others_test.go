package parquet_test

import (
	"bytes"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	peer "github.com/parquet-go/parquet-go"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/parquet"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// TestOthers reads the files that the other library is tested with, which programs of many kinds
// wrote, and compares the columns that are read with those that the library reads.
func TestOthers(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/parquet-go/parquet-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "testdata", "*.parquet"))
	if err != nil || len(paths) < 40 {
		t.Fatalf("found %d files: %v", len(paths), err)
	}
	columns := 0
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := parquet.NewFile(path, bytes.NewReader(b), int64(len(b)), 0)
			if err != nil {
				t.Fatal(err)
			}
			of, err := peer.OpenFile(bytes.NewReader(b), int64(len(b)))
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range f.Columns() {
				if c.Alien || filepath.Base(path) == "lz4_raw_compressed_larger.parquet" { // of which the other library reads empty texts

					t.Logf("%s: %s", c.Name, c.Type)
					continue
				}
				if compareColumn(t, f, of, i) {
					columns++
				}
			}
		})
	}
	if columns < 200 {
		t.Errorf("%d columns are the same; want some 200", columns)
	}
}

// compareColumn compares a column with the one that the other library reads. It reports false if it
// is of bytes that are no text.
func compareColumn(t *testing.T, f *parquet.File, of *peer.File, i int) bool {
	column := f.Columns()[i]
	leaf := of.Root().Column(column.Name)
	rec := data.Record{Cells: make([]data.Cell, len(f.Columns()))}
	for g := range f.Groups() {
		c, err := f.Open(g, []int{i})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		want := peer.NewColumnChunkValueReader(of.RowGroups()[g].ColumnChunks()[leaf.Index()])
		one := make([]peer.Value, 1)
		for {
			err := c.Next(&rec)
			n, failed := want.ReadValues(one)
			switch {
			case err == io.EOF && n == 0:
			case err != nil && strings.Contains(err.Error(), "not UTF-8"):
				return false
			case err != nil || n == 0:
				t.Fatalf("column %q: %v; the other library: %v", column.Name, err, failed)
			}
			if err == io.EOF {
				break
			}
			if cell := rec.Cells[i]; !sameValue(cell, one[0], column.Type) {
				t.Fatalf("%s, column %q: %q, missing %v; want %v", rec.Pos, column.Name, cell.Text, cell.Unknown, one[0])
			}
		}
	}
	return true
}

// sameValue compares a cell with a value of a type.
func sameValue(cell data.Cell, v peer.Value, column string) bool {
	switch {
	case v.IsNull() || v.Kind() == peer.Double && math.IsNaN(v.Double()) || v.Kind() == peer.Float && math.IsNaN(float64(v.Float())):
		return cell.Unknown
	case cell.Unknown:
		return false
	case column == "date":
		return cell.Text == time.Unix(24*3600*int64(v.Int32()), 0).UTC().Format(time.DateOnly)
	case column == "timestamp":
		at, err := time.Parse(time.RFC3339Nano, strings.Replace(strings.TrimSuffix(cell.Text, "Z"), " ", "T", 1)+"Z")
		return err == nil && slices.Contains([]int64{at.UnixMilli(), at.UnixMicro(), at.UnixNano()}, v.Int64())
	case strings.HasPrefix(column, "decimal"):
		return true // the other library leaves them as they are stored
	case v.Kind() == peer.Double:
		return cell.Text == formatReal(v.Double())
	case v.Kind() == peer.Float:
		return cell.Text == formatReal(float64(v.Float()))
	}
	return cell.Text == v.String()
}

// TestDecimals reads decimals of each way to store them: 1 to 24, with two digits after the point.
func TestDecimals(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/parquet-go/parquet-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"int32_decimal", "int64_decimal", "byte_array_decimal", "fixed_length_decimal", "fixed_length_decimal_legacy"} {
		b, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "testdata", name+".parquet"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := cells(b, rowfile.ReadOptions{})
		if err != nil || len(got) != 24 {
			t.Fatalf("%s: %d rows: %v", name, len(got), err)
		}
		for i, line := range got {
			if x, want := line[0], formatReal(float64(i+1)); number(x) != want || !strings.HasSuffix(x, ".00") {
				t.Errorf("%s, row %d: %q; want %s.00", name, i, x, want)
			}
		}
	}
}
