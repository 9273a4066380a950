package rowfile_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// TestTimesAreNoStates loads columns of times, also of more than there can be states, and columns
// that are nearly of times.
func TestTimesAreNoStates(t *testing.T) {
	many := strings.Builder{}
	many.WriteString("at,x\n")
	for i := range data.MaxStates + 10 {
		fmt.Fprintf(&many, "%s,%d\n", time.Unix(int64(i), 0).UTC().Format(time.RFC3339), i%2)
	}
	for _, c := range []struct{ name, text, vars, times string }{
		{"dates", "day,x\n2026-01-01,a\n2026-01-02,b\n,a\n", "x", "day"},
		{"one date", "day,x\n2026-01-01,a\n", "x", "day"},
		{"either first", "day,x\n01/02/2026,a\n02/03/2026,b\n", "x", "day"},
		{"two columns", "x,from,to\na,2026-01-01 10:00,2026-01-01T11:00Z\n", "x", "from to"},
		{"a word", "day,x\n2026-01-01,a\nsoon,b\n", "day x", ""},
		{"years", "year,x\n2026,a\n2027,b\n", "year x", ""},
		{"nothing", "day,x\n,a\n,b\n", "day x", ""},
		{"more than states", many.String(), "x", "at"},
	} {
		r, err := rowfile.NewReader("x.csv", strings.NewReader(c.text), rowfile.CSV)
		if err != nil {
			t.Fatal(err)
		}
		set, err := r.Load(rowfile.LoadOptions{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var vars []string
		for _, v := range set.Vars {
			vars = append(vars, v.Name)
		}
		var times []string
		for _, column := range r.Columns {
			if column.Time {
				times = append(times, column.Name)
			}
		}
		if got := strings.Join(vars, " "); got != c.vars || strings.Join(times, " ") != c.times {
			t.Errorf("%s: variables %q, times %q; want %q, %q", c.name, got, times, c.vars, c.times)
		}
	}
	mixed := many.String() + "soon,1\n"
	r, err := rowfile.NewReader("x.csv", strings.NewReader(mixed), rowfile.CSV)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Load(rowfile.LoadOptions{}); err == nil || !strings.Contains(err.Error(), `column "at" has no state "soon"; want at most 65535 different values`) {
		t.Error(err)
	}
	vars := []data.Var{{Name: "day", States: []string{"2026-01-01", "2026-01-02"}}}
	r, err = rowfile.NewReader("x.csv", strings.NewReader("day,x\n2026-01-02,a\n"), rowfile.CSV)
	if err != nil {
		t.Fatal(err)
	}
	set, err := r.Load(rowfile.LoadOptions{Vars: vars}) // of a model that has them
	if err != nil {
		t.Fatal(err)
	}
	if column := set.Column(0); column.At(0) != 1 {
		t.Errorf("got state %d; want 1", column.At(0))
	}
}
