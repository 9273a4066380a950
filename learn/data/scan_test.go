package data_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
)

// TestScan compares the variables that Scan finds, and its errors, with those of Load.
func TestScan(t *testing.T) {
	for _, c := range []struct {
		name, text string
		format     data.Format
		opt        data.LoadOptions
	}{
		{"texts", "a,b\ny,2\nx,1.0\n,1\n", data.CSV, data.LoadOptions{}},
		{"by appearance", "a,b\ny,2\nx,1\n", data.CSV, data.LoadOptions{Order: data.Appearance}},
		{"real", "a,b\ny,2\nx,1.5\n", data.CSV, data.LoadOptions{Real: []string{"b"}}},
		{"no rows", "a,b\n", data.CSV, data.LoadOptions{}},
		{"numbers", "0,3\n1,*\n", data.Libra, data.LoadOptions{}},
		{"schema", "0,3\n1,*\n", data.Libra, data.LoadOptions{Cards: []int{2, 5}}},
		{"short row", "a,b\ny\n", data.CSV, data.LoadOptions{}},
		{"no state", "a\nx\nz\n", data.CSV, data.LoadOptions{Vars: []data.Var{{Name: "a", States: []string{"x", "y"}}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			open := func() *data.Reader {
				r, err := data.NewReader("rows", strings.NewReader(c.text), c.format)
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
	r, err := data.NewReader("rows", strings.NewReader("a\n"+strings.Repeat("x", 999)), data.CSV)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Scan(data.LoadOptions{MaxMem: 500}); err == nil || !strings.Contains(err.Error(), "the states of 1 columns so far take") {
		t.Errorf("got %v; want an error about memory", err)
	}
}
