package look_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/look"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
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

func open(t *testing.T, text string, opt rowfile.ReadOptions) *rowfile.Reader {
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
		scanned, err := look.Scan(context.Background(), open(t, text, rowfile.ReadOptions{}))
		if err != nil {
			t.Fatal(err)
		}
		r := open(t, text, rowfile.ReadOptions{})
		set, err := r.Load(rowfile.LoadOptions{})
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

// TestForms has columns of texts that stand for numbers or days, and columns that nearly do.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		name    string
		values  []string
		missing []string
		concern string
		says    string // of the concern; empty if there is none
		try     string
	}{
		{"None", []string{"1", "2", "2.5", "None", "3"}, nil, look.Unmarked, `column "a": 24 numbers and the text None; is it --missing None?`, "--missing None"},
		{"NA beside a mark", []string{"1", "NA", "-9"}, []string{"-9"}, look.Unmarked, `column "a": 10 numbers and the text NA; is it --missing -9,NA?`, "--missing -9,NA"},
		{"None as a state", []string{"None", "Mild", "1"}, nil, "", "", ""},
		{"None and codes", []string{"None", "01", "1"}, nil, "", "", ""},
		{"None alone", []string{"None"}, nil, "", "", ""},
		{"none of the words", []string{"1", "2", "many"}, nil, "", "", ""},
		{"thousands", []string{`"1,926"`, "900", `"-1,000,000.5"`}, nil, look.Thousands,
			`column "a" holds numbers with thousands separators, and each of its 3 different texts becomes a state; write -1000000.5 for -1,000,000.5 to have numbers`, ""},
		{"decimal commas", []string{`"1,5"`, `"0,123"`, "2"}, nil, look.Commas,
			`column "a" holds numbers with decimal commas, and each of its 3 different texts becomes a state; write 0.123 for 0,123 to have numbers`, ""},
		{"pairs", []string{`"1,5"`, `"a,b"`}, nil, "", "", ""},
		{"a few dates", []string{"2011-01-01", "2011-01-02"}, nil, "", "", ""},
	} {
		text := rowsOf("a,b", 30, func(i int) string { return c.values[i%len(c.values)] + ",u" })
		opt := rowfile.ReadOptions{Missing: c.missing}
		scanned, err := look.Scan(context.Background(), open(t, text, opt))
		if err != nil {
			t.Fatal(err)
		}
		r := open(t, text, opt)
		set, err := r.Load(rowfile.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []*look.File{scanned, look.Of(r, set)} {
			says := ""
			for _, w := range f.Concerns(true) {
				says += strings.TrimPrefix(w.Error(), "x.csv: warning: ")
			}
			if got := f.Columns[0].Concern; got != c.concern || says != c.says || f.Try != c.try {
				t.Errorf("%s: got %q, %q, try %q; want %q, %q, %q", c.name, got, says, f.Try, c.concern, c.says, c.try)
			}
			if stops := f.Err(false) != nil; stops != (c.concern == look.Unmarked) {
				t.Errorf("%s: error %v", c.name, f.Err(false))
			}
		}
	}
	days := rowsOf("a,b", 31, func(i int) string { return fmt.Sprintf("%d/12/99,u", i+1) })
	f, err := look.Scan(context.Background(), open(t, days, rowfile.ReadOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Columns[0].Concern; got != look.Dates || f.Try != "--drop a" {
		t.Errorf("days: %q, try %q; want %q, --drop a", got, f.Try, look.Dates)
	}
}

// TestTimes has columns of times, which pgmc learn leaves out.
func TestTimes(t *testing.T) {
	for _, c := range []struct{ name, form, from, to, concern string }{
		{"days", "2011-01-%02d", "2011-01-01", "2011-01-31", ""},
		{"day first", "%02d/01/2011 12:00", "01/01/2011 12:00", "31/01/2011 12:00", ""},
		{"either first", "01/02/20%02d", "", "", look.EitherDay},
	} {
		text := rowsOf("a,b", 31, func(i int) string { return fmt.Sprintf(c.form+",u", 31-i) })
		f, err := look.Scan(context.Background(), open(t, text, rowfile.ReadOptions{}))
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Columns[0]; got.Kind != look.Time || got.From != c.from || got.To != c.to || got.Concern != c.concern || got.Unfit || f.Try != "" {
			t.Errorf("%s: got %+v, try %q; want %s to %s, %q", c.name, got, f.Try, c.from, c.to, c.concern)
		}
	}
}

// TestHeader has first lines that are names, and some that are not.
func TestHeader(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opt        rowfile.ReadOptions
		want       bool
	}{
		{"names", "a,b\n1,2\n", rowfile.ReadOptions{}, false},
		{"a row", "1,yes\n2,no\n0,yes\n", rowfile.ReadOptions{}, true},
		{"half of a row", "1,b\n2,no\n0,yes\n", rowfile.ReadOptions{}, true},
		{"a third of a row", "1,b,c\n2,no,1\n0,yes,1\n", rowfile.ReadOptions{}, false},
		{"numbers that are no values", "1990,1991\n5,6\n7,8\n", rowfile.ReadOptions{}, false},
		{"read as a row", "1,yes\n2,no\n0,yes\n", rowfile.ReadOptions{NoHeader: true}, false},
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
	f, err := look.Scan(context.Background(), open(t, text, rowfile.ReadOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	if want := `--drop '"id, '\''x'\''"' --bins '"a b"=5'`; f.Try != want {
		t.Errorf("got %s; want %s", f.Try, want)
	}
}

// TestManyColumns has more columns than are compared with each other, and as many.
func TestManyColumns(t *testing.T) {
	for _, c := range []struct {
		columns int
		says    bool
	}{{302, true}, {300, false}} {
		header := "c0"
		for i := 1; i < c.columns; i++ {
			header += fmt.Sprintf(",c%d", i)
		}
		text := rowsOf(header, 20, func(i int) string {
			x := string("xy"[i%2])
			return x + strings.Repeat(","+x, c.columns-1)
		})
		f, err := look.Scan(context.Background(), open(t, text, rowfile.ReadOptions{}))
		if err != nil {
			t.Fatal(err)
		}
		if says := strings.Contains(f.String(), "the dependence covers the first 300 columns that can be compared, of 302"); says != c.says {
			t.Errorf("of %d columns: %s", c.columns, f)
		}
	}
}
