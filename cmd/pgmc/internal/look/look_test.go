package look_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/look"
	"github.com/pgmc-go/pgmc/learn/data"
)

// rowsOf returns n rows of CSV below a header, each by row.
func rowsOf(header string, n int, row func(i int) string) string {
	b := strings.Builder{}
	b.WriteString(header + "\n")
	for i := range n {
		b.WriteString(row(i) + "\n")
	}
	return b.String()
}

func open(t *testing.T, text string, opt data.ReadOptions) *data.Reader {
	r, err := opt.NewReader("x.csv", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestConcerns has columns on both sides of each bound, and looks at them in both ways: while rows
// are read, and in a set.
func TestConcerns(t *testing.T) {
	mod := func(n int) func(int) string { return func(i int) string { return fmt.Sprintf("v%d", i%n) } }
	number := func(n int) func(int) string { return func(i int) string { return fmt.Sprint(i % n) } }
	for _, c := range []struct {
		name, header string
		rows         int
		row          func(i int) string
		kind         string
		values       int
		concern      string
		unfit        bool
	}{
		{"twenty texts", "a", 30, mod(20), look.Texts, 20, "", false},
		{"texts with ten rows each", "a", 210, mod(21), look.Texts, 21, "", false},
		{"texts with fewer", "a", 209, mod(21), look.Texts, 21, look.TooFine, true},
		{"texts that mostly differ", "a", 41, mod(21), look.Texts, 21, look.Identifier, true},
		{"twenty numbers", "a", 30, number(20), look.Whole, 20, "", false},
		{"numbers with ten rows each", "a", 210, number(21), look.Whole, 21, look.TooFine, false},
		{"numbers with fewer", "a", 209, number(21), look.Whole, 21, look.TooFine, true},
		{"whole numbers that all differ", "a", 21, number(21), look.Whole, 21, look.Identifier, true},
		{"measurements that all differ", "a", 21, func(i int) string { return fmt.Sprint(float64(i) + 0.5) }, look.Numbers, 21, look.TooFine, true},
		{"numbers and a text", "a", 30, func(i int) string { return []string{"1", "2", "many"}[i%3] }, look.Texts, 3, "", false},
		{"nothing", "a", 3, func(int) string { return "?" }, look.Empty, 0, look.NoValues, false},
	} {
		text := rowsOf(c.header+",b", c.rows, func(i int) string { return c.row(i) + ",u" + fmt.Sprint(i%2) })
		scanned, err := look.Scan(context.Background(), open(t, text, data.ReadOptions{}))
		if err != nil {
			t.Fatal(err)
		}
		r := open(t, text, data.ReadOptions{})
		set, err := r.Load(data.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []*look.File{scanned, look.Of(r, set)} {
			got := f.Columns[0]
			if got.Kind != c.kind || got.Values != c.values || got.Concern != c.concern || got.Unfit != c.unfit {
				t.Errorf("%s: got %s, %d values, %q, %t; want %s, %d, %q, %t", c.name, got.Kind, got.Values, got.Concern, got.Unfit, c.kind, c.values, c.concern, c.unfit)
			}
			if stops := f.Err(false) != nil; stops != (c.concern != "" && c.unfit) {
				t.Errorf("%s: error %v", c.name, f.Err(false))
			}
			if warns := len(f.Concerns(true)) > 0; warns != (c.concern != "" && c.concern != look.NoValues) { // without values, learn refuses
				t.Errorf("%s: warnings %v", c.name, f.Concerns(true))
			}
		}
	}
}

// TestHeader has first lines that are names, and some that are not.
func TestHeader(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opt        data.ReadOptions
		want       bool
	}{
		{"names", "a,b\n1,2\n", data.ReadOptions{}, false},
		{"a row", "1,yes\n2,no\n0,yes\n", data.ReadOptions{}, true},
		{"half of a row", "1,b\n2,no\n0,yes\n", data.ReadOptions{}, true},
		{"a third of a row", "1,b,c\n2,no,1\n0,yes,1\n", data.ReadOptions{}, false},
		{"numbers that are no values", "1990,1991\n5,6\n7,8\n", data.ReadOptions{}, false},
		{"read as a row", "1,yes\n2,no\n0,yes\n", data.ReadOptions{NoHeader: true}, false},
	} {
		f, err := look.Scan(context.Background(), open(t, c.text, c.opt))
		if err != nil {
			t.Fatal(err)
		}
		if f.Headless != c.want {
			t.Errorf("%s: headless is %t; want %t", c.name, f.Headless, c.want)
		}
	}
}

// TestFlagsAreQuoted has names that a shell or a list of names would split.
func TestFlagsAreQuoted(t *testing.T) {
	text := rowsOf(`"id, 'x'",a b`, 30, func(i int) string { return fmt.Sprintf("t%d,%d.5", i, i) })
	f, err := look.Scan(context.Background(), open(t, text, data.ReadOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	if want := `--drop '"id, '\''x'\''"' --bins '"a b"=5'`; f.Try != want {
		t.Errorf("got %s; want %s", f.Try, want)
	}
}
