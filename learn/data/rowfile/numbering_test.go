package rowfile_test

import (
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// The columns of pgmc sample are left out only if they number slices and no option names them.
func TestNumbering(t *testing.T) {
	both := rowfile.LoadOptions{Numbering: rowfile.NumberingColumns()}
	named := both
	named.Columns = []rowfile.ColumnBins{{Column: "t", N: 2}}
	for _, c := range []struct {
		name, text string
		opt        rowfile.LoadOptions
		want       string
	}{
		{"two sequences", "sequence,t,x\na,0,u\na,1,v\nb,0,u\n", both, "x"},
		{"one of them", "sequence,t,x\na,0,u\na,1,v\nb,0,u\n", rowfile.LoadOptions{Numbering: []string{"t"}}, "sequence,x"},
		{"unless asked", "sequence,t,x\na,0,u\na,1,v\nb,0,u\n", rowfile.LoadOptions{}, "sequence,t,x"},
		{"the names of sequences", "sequence,t,x\na,0,u\na,1,v\nb,0,u\n", rowfile.LoadOptions{Numbering: rowfile.NumberingColumns(), Slices: true, Sequence: "sequence"}, "x"},
		{"real numbers", "sequence,t,x\na,0,.5\na,1,.7\n", rowfile.LoadOptions{Numbering: rowfile.NumberingColumns(), Real: []string{"x"}}, "x"},
		{"real numbers of a column", "sequence,t,x\na,0,u\na,1,v\n", rowfile.LoadOptions{Numbering: rowfile.NumberingColumns(), Real: []string{"t"}}, "t,x"},
		{"a rule for a column", "sequence,t,x\na,0,u\na,1,v\n", named, "t,x"},
		{"from 1", "sequence,t,x\na,1,u\na,2,v\n", both, "sequence,t,x"},
		{"a gap", "sequence,t,x\na,0,u\na,2,v\n", both, "sequence,t,x"},
		{"no new start", "sequence,t,x\na,0,u\nb,1,v\n", both, "sequence,t,x"},
		{"other numbers", "sequence,t,x\na,0,u\na,1.0,v\n", both, "sequence,t,x"},
		{"a missing one", "sequence,t,x\na,0,u\na,,v\n", both, "sequence,t,x"},
		{"other columns first", "x,sequence,t\nu,a,0\nv,a,1\n", both, "x,sequence,t"},
		{"nothing else", "sequence,t\na,0\na,1\n", both, "sequence,t"},
		{"no rows", "sequence,t,x\n", both, "sequence,t,x"},
	} {
		r, err := rowfile.NewReader("x.csv", strings.NewReader(c.text), rowfile.CSV)
		if err != nil {
			t.Fatal(err)
		}
		s, err := r.Load(c.opt)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		var got []string
		for v, x := range s.Vars {
			got = append(got, x.Name)
			column := s.Column(v)
			if x.Name == "x" && !x.Real && s.Len() > 0 && x.States[column.At(0)] != "u" {
				t.Errorf("%s: x begins with %q; want u", c.name, x.States[column.At(0)])
			}
		}
		if list := strings.Join(got, ","); list != c.want {
			t.Errorf("%s: got the variables %s; want %s", c.name, list, c.want)
		}
	}
}
