package look

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// quote quotes a name as flags want it.
func quote(name string) string { return cli.QuoteName(name) }

// shell quotes a value as a shell wants it.
func shell(value string) string { return cli.ShellQuote(value) }

// String returns a line about the file, a table of its columns, and what to do.
func (f *File) String() string {
	var b strings.Builder
	groups := ""
	if f.Groups > 0 {
		groups = fmt.Sprintf(", %d %s", f.Groups, table.Plural("row group", f.Groups))
	}
	fmt.Fprintf(&b, "%s: %d %s, %d of them with a missing value, %d %s%s\n\n", f.Name, f.Rows, table.Plural("row", f.Rows), f.Incomplete, len(f.Columns), table.Plural("column", len(f.Columns)), groups)
	t := &table.Table{}
	typed := slices.ContainsFunc(f.Columns, func(c Column) bool { return c.Type != "" })
	add := func(name, column string, rest ...string) {
		if typed {
			rest = append([]string{column}, rest...)
		}
		t.Add(append([]string{name}, rest...)...)
	}
	add("column", "type", "kind", "values", "missing", "what", "")
	for i := range f.Columns {
		c := &f.Columns[i]
		values := strconv.Itoa(c.Values)
		if c.More {
			values = ">" + values
		}
		concern := c.Concern
		if c.Concern != "" && c.Unfit {
			concern += " *"
		}
		add(c.Name, c.Type, c.Kind, values, strconv.Itoa(c.Missing), c.what(), concern)
	}
	b.WriteString(t.String())
	if slices.ContainsFunc(f.Columns, func(c Column) bool { return c.Unfit && c.Concern != "" }) && !f.Headless {
		fmt.Fprintf(&b, "\n* fewer than %d rows for each value, with which pgmc learn stops\n", RowsPerState)
	}
	for i := range f.Columns {
		if c := &f.Columns[i]; c.example != "" {
			fmt.Fprintf(&b, "\n%s\n", f.explain(c))
		}
	}
	if f.Headless {
		fmt.Fprintf(&b, "\nThe first line looks like a row: %s.\n", f.headers())
	}
	if w := f.Wanted; w != nil {
		fmt.Fprintf(&b, "\n%.0f rows put a share within %g of its probability, except with a risk of %g; this file has %d\n", math.Ceil(w.Rows), w.Error, w.Risk, f.Rows)
	}
	if m := f.Missingness; m != nil {
		b.WriteString("\n" + missingTable(m))
		fmt.Fprintf(&b, "%s\n", m)
	}
	if f.Try != "" {
		fmt.Fprintf(&b, "\ntry: %s%s\n", f.Try, f.keepReal())
	}
	return b.String()
}

// missingTable shows the tests with the least p-values, followed by an empty line.
func missingTable(m *rate.Missingness) string {
	const most = 10
	if len(m.Tests) == 0 {
		return ""
	}
	t := &table.Table{}
	t.Add("missing", "depends on", "rows", "p-value", "corrected")
	for _, x := range m.Tests[:min(most, len(m.Tests))] {
		t.Add(x.Variable, x.By, number(x.Rows), fmt.Sprintf("%.2g", x.PValue), fmt.Sprintf("%.2g", x.Corrected))
	}
	return t.String() + "\n"
}

// what describes the values of a column: the range of numbers, or the first few values.
func (c *Column) what() string {
	if c.Least != nil {
		return number(*c.Least) + " to " + number(*c.Most)
	}
	var parts []string
	for _, s := range c.First {
		const most = 20
		if r := []rune(s); len(r) > most {
			s = string(r[:most]) + "..."
		}
		parts = append(parts, s)
	}
	if c.Values > len(parts) {
		parts = append(parts, "...")
	}
	return strings.Join(parts, ", ")
}

// mostDigits is the largest whole number that is written with all its digits.
const mostDigits = 1e9

// number writes a number with six digits, a whole one with all.
func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) <= mostDigits {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}
