package parquet_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	peer "github.com/parquet-go/parquet-go"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// TestLoad loads columns of several types, and the same rows from CSV.
func TestLoad(t *testing.T) {
	for _, n := range []int{1, 3000} {
		list := rows(n, 9)
		opt := rowfile.ReadOptions{Columns: []string{"dictnull", "textnull", "enum", "boolnull", "i64", "f64", "f64dict", "decimal"}}
		b := file(t, list, peer.MaxRowsPerRowGroup(1000))
		all, err := reader(b, rowfile.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var text []byte
		line := func(cell func(i int) string) {
			for i := range all.Columns {
				if i > 0 {
					text = append(text, ',')
				}
				text = rowfile.AppendCSV(text, strings.TrimPrefix(cell(i), "\x00"))
			}
			text = append(text, '\n')
		}
		line(func(i int) string { return all.Columns[i].Name })
		for i := range list {
			cells := list[i].texts()
			line(func(i int) string { return cells[i] })
		}
		r, err := reader(b, opt)
		if err != nil {
			t.Fatal(err)
		}
		load := rowfile.LoadOptions{Real: []string{"f64", "decimal"}}
		got, err := r.Load(load)
		if err != nil {
			t.Fatal(err)
		}
		c, err := opt.NewReader("rows.csv", bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		want, err := c.Load(load)
		if err != nil {
			t.Fatal(err)
		}
		sameSet(t, got, want)
	}
}

// sameSet compares sets.
func sameSet(t *testing.T, got, want *data.Set) {
	t.Helper()
	if got.Len() != want.Len() || len(got.Vars) != len(want.Vars) {
		t.Fatalf("%d rows of %d variables; want %d of %d", got.Len(), len(got.Vars), want.Len(), len(want.Vars))
	}
	for v, x := range want.Vars {
		if g := got.Vars[v]; g.Name != x.Name || g.Real != x.Real || !slices.Equal(g.States, x.States) {
			t.Errorf("variable %+v; want %+v", g, x)
		}
		a, b := got.Column(v), want.Column(v)
		for row := range want.Len() {
			if g, w := a.At(row), b.At(row); g != w || x.Real && got.Real(v)[row] != want.Real(v)[row] {
				t.Fatalf("variable %q, row %d: state %d; want %d", x.Name, row, g, w)
			}
		}
	}
}
