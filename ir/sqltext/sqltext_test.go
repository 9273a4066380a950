package sqltext_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/sqltext"
)

// dialect returns a dialect by its name.
func dialect(t *testing.T, id string) *sqltext.Dialect {
	t.Helper()
	d, err := sqltext.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestQuotes compares names, tables and texts with the grammars of the engines; package sql's tests
// in testdata/engines run hostile ones.
func TestQuotes(t *testing.T) {
	for _, c := range []struct{ dialect, name, table, text string }{
		{"duckdb", `"a""b'\"`, `"a""b'\"`, `'a"b''\'`},
		{"sqlite", `"a""b'\"`, `"a""b'\"`, `'a"b''\'`},
		{"postgres", `"a""b'\"`, `"a""b'\"`, `E'a"b''\\'`},
	} {
		d := dialect(t, c.dialect)
		const hostile = `a"b'\`
		name, err := d.Name(hostile)
		if err != nil || name != c.name {
			t.Errorf("%s: name %s, error %v; want %s", c.dialect, name, err, c.name)
		}
		if table, err := d.Table(hostile); err != nil || table != c.table {
			t.Errorf("%s: table %s, error %v; want %s", c.dialect, table, err, c.table)
		}
		if text, err := d.Text(hostile); err != nil || text != c.text {
			t.Errorf("%s: text %s, error %v; want %s", c.dialect, text, err, c.text)
		}
	}
	if text, err := dialect(t, "bigquery").Text("a'\\\n"); err != nil || text != `'a\'\\\n'` {
		t.Errorf("bigquery: text %s, error %v", text, err)
	}
}

func TestTable(t *testing.T) {
	d := dialect(t, "duckdb")
	for _, c := range []struct{ table, want string }{
		{"visits", `"visits"`},
		{"clinic.visits", `"clinic"."visits"`},
		{`clinic."a.b"`, `"clinic"."a.b"`},
		{`"a.b".c`, `"a.b"."c"`},
	} {
		if got, err := d.Table(c.table); err != nil || got != c.want {
			t.Errorf("%s: got %s, error %v; want %s", c.table, got, err, c.want)
		}
	}
	for _, c := range []struct{ table, want string }{
		{"", `the table "" has a part of 0 bytes; want 1 or more`},
		{"a.", `the table "a." has a part of 0 bytes; want 1 or more`},
		{`"a`, `the table "a has a double quote without its end`},
		{`"a"b`, `the table "a"b has "b" after a part in quotes; want a dot`},
	} {
		if _, err := d.Table(c.table); err == nil || err.Error() != c.want {
			t.Errorf("%s: error %v; want %s", c.table, err, c.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	long := strings.Repeat("ä", 32) // 64 bytes
	for _, c := range []struct{ dialect, name, want string }{
		{"duckdb", "a\x00", `the name "a\x00" holds a NUL, which DuckDB does not take; rename it`},
		{"sqlite", "a\xff", `the name "a\xff" is no UTF-8, which SQLite wants; rename it`},
		{"postgres", "", `PostgreSQL takes no empty name; rename the column`},
		{"postgres", long, `the name "` + long + `" has 64 bytes; PostgreSQL takes 63 at most, and the rest would be cut; use a shorter name`},
		{"bigquery", "a(b", `the name "a(b" has the character "(", which BigQuery does not take in names of columns; rename it`},
	} {
		if _, err := dialect(t, c.dialect).Name(c.name); err == nil || err.Error() != c.want {
			t.Errorf("%s: error %v; want %s", c.dialect, err, c.want)
		}
	}
	if _, err := dialect(t, "duckdb").Name(long); err != nil {
		t.Error(err)
	}
	if _, err := dialect(t, "duckdb").Text("\x00"); err == nil {
		t.Error("a text with a NUL passes")
	}
	if _, err := sqltext.Find("postgre"); err == nil || err.Error() != `unknown dialect "postgre"; want duckdb, postgres, sqlite, bigquery; did you mean "postgres"?` {
		t.Error(err)
	}
	for _, c := range []struct {
		dialect string
		names   []string
		want    string
	}{
		{"postgres", []string{"a", "A"}, ""},
		{"duckdb", []string{"a", "A"}, `the names "a" and "A" differ by case only, and are one column in DuckDB; rename one`},
		{"postgres", []string{"a", "a"}, `two columns of the result would have the name "a"; rename one`},
	} {
		found := ""
		if err := dialect(t, c.dialect).Distinct(c.names); err != nil {
			found = err.Error()
		}
		if found != c.want {
			t.Errorf("%s %q: error %q; want %q", c.dialect, c.names, found, c.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		dialect string
		x       float64
		want    string
	}{
		{"duckdb", .41000000000000003, "CAST('0.41000000000000003' AS DOUBLE)"},
		{"duckdb", math.Inf(-1), "CAST('-Infinity' AS DOUBLE)"},
		{"postgres", 1e-300, "'1e-300'::float8"},
		{"sqlite", 1, "1e0"},
		{"sqlite", math.Inf(-1), "-9e999"},
		{"bigquery", -.5, "CAST('-0.5' AS FLOAT64)"},
	} {
		if got := dialect(t, c.dialect).Number(c.x); got != c.want {
			t.Errorf("%s: got %s; want %s", c.dialect, got, c.want)
		}
	}
}

func TestNest(t *testing.T) {
	if got, want := sqltext.Nest(" + ", strings.Fields("a b c d e")), "(a + b) + (c + (d + e))"; got != want {
		t.Errorf("got %s; want %s", got, want)
	}
	depth, deepest := 0, 0
	for _, r := range sqltext.Nest(" + ", make([]string, 5000)) {
		if r == '(' {
			depth++
			deepest = max(deepest, depth)
		} else if r == ')' {
			depth--
		}
	}
	if deepest > 12 {
		t.Errorf("5000 terms nest %d deep; want 12 at most", deepest)
	}
	if got, want := dialect(t, "sqlite").Most(strings.Fields("a b c")), "max(a, max(b, c))"; got != want {
		t.Errorf("got %s; want %s", got, want)
	}
}

func TestUnion(t *testing.T) {
	text := sqltext.Union(make([]string, 1000))
	if n := strings.Count(text, "UNION ALL"); n != 999 {
		t.Errorf("%d unions of 1000 queries; want 999", n)
	}
	if n := strings.Count(text, "SELECT * FROM ("); n != 10 {
		t.Errorf("%d groups of 1000 queries; want 10", n)
	}
}
