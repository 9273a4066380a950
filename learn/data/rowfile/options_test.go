package rowfile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

func TestReadOptions(t *testing.T) {
	const csv = "a,b,c\n1,2,NA\n3,?,-\n1,4,5\n"
	for _, c := range []struct {
		name, file, text string
		opt              rowfile.ReadOptions
		vars             []data.Var
		want             string
	}{
		{"all", "x.csv", csv, rowfile.ReadOptions{}, nil, `"a"["1" "3"] "b"["2" "4"] "c"["-" "5"] | [0 0 -1]| [1 -1 0]| [0 1 1]`},
		{"columns", "x.csv", csv, rowfile.ReadOptions{Columns: []string{"c", "a"}}, nil, `"a"["1" "3"] "c"["-" "5"] | [0 -1]| [1 0]| [0 1]`},
		{"drop", "x.csv", csv, rowfile.ReadOptions{Drop: []string{"b"}}, nil, `"a"["1" "3"] "c"["-" "5"] | [0 -1]| [1 0]| [0 1]`},
		{"columns and drop", "x.csv", csv, rowfile.ReadOptions{Columns: []string{"c", "a"}, Drop: []string{"c"}}, nil, `"a"["1" "3"] | [0]| [1]| [0]`},
		{"missing", "x.csv", csv, rowfile.ReadOptions{Missing: []string{"-", "4"}}, nil, `"a"["1" "3"] "b"["2" "?"] "c"["5" "NA"] | [0 0 1]| [1 1 -1]| [0 -1 0]`},
		{"rows", "x.csv", csv, rowfile.ReadOptions{Rows: func(row int) bool { return row != 1 }}, nil, `"a"["1"] "b"["2" "4"] "c"["5"] | [0 0 -1]| [0 1 0]`},
		{"no header", "x.csv", "1,1\n2,1\n", rowfile.ReadOptions{NoHeader: true}, nil, `"x0"["1" "2"] "x1"["1"] | [0 0]| [1 0]`},
		{"no header, dropped", "x.csv", "1,1\n2,1\n", rowfile.ReadOptions{NoHeader: true, Drop: []string{"x0"}}, nil, `"x1"["1"] | [0]| [0]`},
		{"no header, by position", "x.csv", "yes,NA\nno,ok\n", rowfile.ReadOptions{NoHeader: true}, yesNo, `"a"["yes" "no"] "b"["NA" "?" "ok"] | [0 0]| [1 2]`},
		{"dropped of a model", "x.csv", "a,b\nyes,NA\nno,ok\n", rowfile.ReadOptions{Drop: []string{"a"}}, yesNo, `"a"["yes" "no"] "b"["NA" "?" "ok"] | [-1 0]| [-1 2]`},
		{"arff", "x.arff", "@relation r\n@attribute a {u,v}\n@attribute b {w,x}\n@data\n{0 v}, {2}\n{1 x}\n", rowfile.ReadOptions{Columns: []string{"b"}}, nil, `"b"["w" "x"] | [0] x2| [1]`},
	} {
		r, err := c.opt.NewReader(c.file, strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		s, err := r.Load(rowfile.LoadOptions{Vars: c.vars})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := show(s); got != c.want {
			t.Errorf("%s: got %s; want %s", c.name, got, c.want)
		}
	}
}

func TestReadOptionsErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opt        rowfile.ReadOptions
		want       string
	}{
		{"empty", "", rowfile.ReadOptions{NoHeader: true}, "x.csv: the file is empty; want rows of values"},
		{"unknown", "age,b\n", rowfile.ReadOptions{Drop: []string{"b", "aeg"}}, `x.csv:1:1: there is no column "aeg"; found "age", "b"; did you mean "age"?`},
		{"none", "a,b\n", rowfile.ReadOptions{Drop: []string{"b", "a"}}, "x.csv:1:1: no column is left; want one at least"},
	} {
		if _, err := c.opt.NewReader("x.csv", strings.NewReader(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v; want %s", c.name, err, c.want)
		}
	}
}

// TestSplit checks that parts are disjoint, cover the rows, and have their sizes.
func TestSplit(t *testing.T) {
	for _, c := range []struct {
		n      int
		shares []float64
		sizes  []int
	}{
		{10, []float64{0.8, 0.2}, []int{8, 2}},
		{10, []float64{0.8, 0.1, 0.1}, []int{8, 1, 1}},
		{7, []float64{0.5, 0.25, 0.25}, []int{4, 1, 2}},
		{0, []float64{0.5, 0.5}, []int{0, 0}},
	} {
		parts := data.Split(c.n, c.shares, 3)
		var all, sizes []int
		for _, p := range parts {
			all, sizes = append(all, p...), append(sizes, len(p))
		}
		slices.Sort(all)
		want := make([]int, c.n)
		for i := range want {
			want[i] = i
		}
		if !slices.Equal(all, want) || !slices.Equal(sizes, c.sizes) {
			t.Errorf("%d rows by %v: sizes %v of %v; want %v", c.n, c.shares, sizes, parts, c.sizes)
		}
	}
	if a, b := data.Split(100, []float64{0.5, 0.5}, 1), data.Split(100, []float64{0.5, 0.5}, 2); slices.Equal(a[0], b[0]) {
		t.Error("seeds 1 and 2 give the same parts")
	}
}

// This example reads a file without a header, in which - marks a missing value.
func ExampleReadOptions() {
	o := rowfile.ReadOptions{Format: rowfile.CSV, NoHeader: true, Missing: []string{"-"}}
	r, err := o.NewReader("people.csv", strings.NewReader("ann,39,yes\nbob,-,no\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for {
		row, err := r.Next()
		if err != nil {
			break
		}
		fmt.Println(r.Columns[0].Name, "is", row.Cells[0].Text)
	}
	// Output:
	// x0 is ann
	// x0 is bob
}
