package table_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

func TestTable(t *testing.T) {
	for _, c := range []struct {
		name string
		rows [][]string
		want string
	}{
		{"numbers are aligned right", [][]string{{"a", "n"}, {"bb", "1.5"}, {"c", "10.25"}}, "a       n\nbb    1.5\nc   10.25\n"},
		{"one row is text", [][]string{{"a", "1"}}, "a  1\n"},
		{"control characters are escaped", [][]string{{"a\nb", "x"}}, "\"a\\nb\"  x\n"},
		{"quotes are kept", [][]string{{`say "a"`}}, "say \"a\"\n"},
	} {
		tab := &table.Table{}
		for _, row := range c.rows {
			tab.Add(row...)
		}
		if got := tab.String(); got != c.want {
			t.Errorf("%s: %q; want %q", c.name, got, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	half := .5
	for _, c := range []struct{ got, want string }{
		{table.Thousands(0), "0"}, {table.Thousands(999), "999"}, {table.Thousands(1234567), "1,234,567"},
		{table.Bytes(100), "100 B"}, {table.Bytes(20 << 10), "20 KiB"}, {table.Bytes(20 << 20), "20 MiB"},
		{table.Percent(.125), "12.50%"},
		{table.Plural("max", 2), "maxima"}, {table.Plural("row", 1), "row"}, {table.Plural("row", 0), "rows"},
		{table.Optional("%.2f", &half), "0.50"}, {table.Optional("%.2f", nil), "-"},
	} {
		if c.got != c.want {
			t.Errorf("%q; want %q", c.got, c.want)
		}
	}
	if table.FiniteOnly(math.Inf(1)) != nil || table.FiniteOnly(math.NaN()) != nil || *table.FiniteOnly(half) != half {
		t.Error("FiniteOnly keeps what is not finite, or loses what is")
	}
}

// TestAddf checks cells that a format makes.
func TestAddf(t *testing.T) {
	tab := &table.Table{}
	tab.Add("set", "", "share", "n")
	tab.Addf("%s||%.1f%%|%d of %d", "nltcs", 12.34, 2, 3)
	if got, want := string(tab.CSV()), "set,,share,n\nnltcs,,12.3%,2 of 3\n"; got != want {
		t.Errorf("%q; want %q", got, want)
	}
}
