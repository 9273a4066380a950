package rowfile_test

import (
	"io"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// TestTwoSlices reads rows of two slices: columns of either order, one that slice 0 does not have,
// and rows that are left out.
func TestTwoSlices(t *testing.T) {
	open := func(text string, ends ...string) (*rowfile.Reader, error) {
		opt := rowfile.ReadOptions{Format: rowfile.CSV, TwoSlices: ends, Rows: func(row int) bool { return row != 1 }}
		return opt.NewReader("days.csv", strings.NewReader(text))
	}
	r, err := open("rain_t,rain_0,umbrellat\nyes,no,yes\nno,no,no\n,yes,no\n", "0", "t")
	if err != nil {
		t.Fatal(err)
	}
	names, err := r.SequenceNames("")
	if err != nil || !names.Named() {
		t.Fatal(names, err)
	}
	var got []string
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		of, err := names.Of(rec)
		if err != nil {
			t.Fatal(err)
		}
		line := of
		for i, c := range rec.Cells {
			line += " " + r.Columns[i].Name + "=" + c.Text
			if c.Unknown {
				line += "?"
			}
		}
		got = append(got, line)
	}
	want := "1 rain=no umbrella=?, 1 rain=yes umbrella=yes, 3 rain=yes umbrella=?, 3 rain= umbrella=no"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("found %s; want %s", s, want)
	}
	if _, err := r.SequenceNames("rain"); err == nil {
		t.Error("no error of a column of sequences")
	}
	for _, c := range []struct {
		head string
		ends []string
		want string
	}{
		{"x_0,x0,x_t", []string{"0", "t"}, `days.csv:1:5: columns "x_0" and "x0" are both "x" of one slice; want one`},
		{"x_0,y_0", []string{"0", "t"}, `days.csv:1:1: no column ends in "t"; want some in each of two slices`},
		{"x_0,y", []string{"0", "t"}, `days.csv:1:5: column "y" ends neither in "0" nor in "t"; want each column in one of two slices, or leave it out by drop y`},
		{"x,x_t", []string{"", "t"}, ""},
	} {
		_, err := open(c.head+"\n1,1,1\n", c.ends...)
		if text := ""; err != nil {
			text = err.Error()
			if text != c.want {
				t.Errorf("%s: error %s; want %s", c.head, text, c.want)
			}
		} else if c.want != "" {
			t.Errorf("%s: no error; want %s", c.head, c.want)
		}
	}
}
