package rowfile_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// TestScan compares the variables that Scan finds, and its errors, with those of Load.
func TestScan(t *testing.T) {
	for _, c := range []struct {
		name, text string
		format     rowfile.Format
		opt        rowfile.LoadOptions
	}{
		{"texts", "a,b\ny,2\nx,1.0\n,1\n", rowfile.CSV, rowfile.LoadOptions{}},
		{"by appearance", "a,b\ny,2\nx,1\n", rowfile.CSV, rowfile.LoadOptions{Order: rowfile.Appearance}},
		{"real", "a,b\ny,2\nx,1.5\n", rowfile.CSV, rowfile.LoadOptions{Real: []string{"b"}}},
		{"no rows", "a,b\n", rowfile.CSV, rowfile.LoadOptions{}},
		{"numbers", "0,3\n1,*\n", rowfile.Libra, rowfile.LoadOptions{}},
		{"schema", "0,3\n1,*\n", rowfile.Libra, rowfile.LoadOptions{Cards: []int{2, 5}}},
		{"short row", "a,b\ny\n", rowfile.CSV, rowfile.LoadOptions{}},
		{"no state", "a\nx\nz\n", rowfile.CSV, rowfile.LoadOptions{Vars: []data.Var{{Name: "a", States: []string{"x", "y"}}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			open := func() *rowfile.Reader {
				r, err := rowfile.NewReader("rows", strings.NewReader(c.text), c.format)
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			r := open()
			set, want := open().Load(c.opt)
			vars, err := r.Scan(c.opt)
			if !reflect.DeepEqual(err, want) || err == nil && !reflect.DeepEqual(vars, set.Vars) {
				t.Errorf("got %v, %v; want the variables of %v, %v", vars, err, set, want)
			}
		})
	}
	r, err := rowfile.NewReader("rows", strings.NewReader("a\n"+strings.Repeat("x", 999)), rowfile.CSV)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Scan(rowfile.LoadOptions{MaxMem: 500}); err == nil || !strings.Contains(err.Error(), "the states of 1 columns so far take") {
		t.Errorf("got %v; want an error about memory", err)
	}
}
