package rowfile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// numbersCSV has a number and a name in each row.
const numbersCSV = "x,kind\n1,a\n2,a\n2.0,b\n3,b\n?,a\n4,b\n10,c\n-6,c\n"

// TestBins has the numbers -6, 1, 2 (twice), 3, 4 and 10, with the weights 1, 1, 2, 1, 1 and 1.
func TestBins(t *testing.T) {
	for _, c := range []struct {
		name    string
		bins    int
		rule    rowfile.Binning
		states  string
		columns []int
	}{
		{"none", 0, 0, "-6 1 2 3 4 10", []int{1, 2, 2, 3, data.Missing, 4, 5, 0}},
		// Of 7 rows, a half is reached at 2.
		{"two of as many", 2, rowfile.BinsFrequency, "..2.5 2.5..", []int{0, 0, 0, 1, data.Missing, 1, 1, 0}},
		// 7/3 is reached at 2, and 14/3 at 3.
		{"three of as many", 3, rowfile.BinsFrequency, "..2.5 2.5..3.5 3.5..", []int{0, 0, 0, 1, data.Missing, 2, 2, 0}},
		{"two of one length", 2, rowfile.BinsWidth, "..2 2..", []int{0, 0, 0, 1, data.Missing, 1, 1, 0}},
		{"four of one length", 4, rowfile.BinsWidth, "..-2 -2..2 2..6 6..", []int{1, 1, 1, 2, data.Missing, 2, 3, 0}},
		{"three of one length, of few digits", 3, rowfile.BinsWidth, "..-0.67 -0.67..4.67 4.67..", []int{1, 1, 1, 1, data.Missing, 1, 2, 0}},
		{"as many as there are", 6, rowfile.BinsFrequency, "-6 1 2 3 4 10", []int{1, 2, 2, 3, data.Missing, 4, 5, 0}},
	} {
		r, err := rowfile.NewReader("x.csv", strings.NewReader(numbersCSV), rowfile.Auto)
		if err != nil {
			t.Fatal(err)
		}
		s, err := r.Load(rowfile.LoadOptions{Bins: c.bins, Binning: c.rule})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(s.Vars[0].States, " "); got != c.states {
			t.Errorf("%s: states %s; want %s", c.name, got, c.states)
		}
		if got := column(s, 0); !slices.Equal(got, c.columns) {
			t.Errorf("%s: got %v; want %v", c.name, got, c.columns)
		}
		if got := strings.Join(s.Vars[1].States, " "); got != "a b c" {
			t.Errorf("%s: the column of names has %s", c.name, got)
		}
	}
}

func column(s *data.Set, v int) []int {
	var out []int
	c := s.Column(v)
	for row := range s.Len() {
		out = append(out, c.At(row))
	}
	return out
}

// TestIntervals checks that a variable of intervals reads numbers and the names of intervals, and
// that states that only resemble intervals are names.
func TestIntervals(t *testing.T) {
	const rows = "x\n1.5\n1.6\n-1e300\n+Inf\n1.5..2.5\nNaN\n 2.5 \n"
	for _, c := range []struct {
		states string
		want   []int
		err    string
	}{
		{"..1.5 1.5..2.5 2.5..", []int{0, 1, 0, 2, 1, data.Missing, 1}, ""},
		{"..1.5 1.5..2.5 2.6..", nil, `x.csv:2:1: column "x" has no state "1.5"; want "..1.5", "1.5..2.5", "2.6.."`},
		{"..1.5 1.5..1 1..", nil, `x.csv:2:1: column "x" has no state "1.5"; want "..1.5", "1.5..1", "1.."`},
	} {
		r, err := rowfile.NewReader("x.csv", strings.NewReader(rows), rowfile.Auto)
		if err != nil {
			t.Fatal(err)
		}
		s, err := r.Load(rowfile.LoadOptions{Vars: []data.Var{{Name: "x", States: strings.Fields(c.states)}}})
		switch {
		case c.err != "":
			if err == nil || !strings.HasPrefix(err.Error(), c.err) {
				t.Errorf("%s: got %v; want %s", c.states, err, c.err)
			}
		case err != nil:
			t.Error(err)
		case !slices.Equal(column(s, 0), c.want):
			t.Errorf("%s: got %v; want %v", c.states, column(s, 0), c.want)
		}
	}
	r, err := rowfile.NewReader("x.csv", strings.NewReader("x\nwarm\n"), rowfile.Auto)
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Load(rowfile.LoadOptions{Vars: []data.Var{{Name: "x", States: []string{"..1", "1.."}}}})
	if want := `x.csv:2:1: column "x" has no state "warm"; want a number, or "..1", "1..", or unseen missing`; err == nil || err.Error() != want {
		t.Errorf("got %v; want %s", err, want)
	}
}

// TestBinsByWeight checks that the weights of rows count, and that a value with more than its share
// replaces several intervals.
func TestBinsByWeight(t *testing.T) {
	const arff = "@relation r\n@attribute x numeric\n@data\n1,{8}\n2\n3\n4\n"
	r, err := rowfile.NewReader("x.arff", strings.NewReader(arff), rowfile.Auto)
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Load(rowfile.LoadOptions{Bins: 3})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.Vars[0].States, " "); got != "..1.5 1.5.." { // 1 has 8 of 11, two thirds
		t.Errorf("got %s", got)
	}
}
