package look

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/contents"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// quote quotes a name as flags want it.
func quote(name string) string { return cli.QuoteName(name) }

// shell quotes a value as a shell wants it.
func shell(value string) string { return cli.ShellQuote(value) }

// String returns a line about the file, tables of its columns, and what to do.
func (f *File) String() string {
	var b strings.Builder
	b.WriteString(f.headline() + "\n")
	for _, t := range f.tables() {
		b.WriteString("\n" + t.String())
	}
	for _, line := range f.remarks() {
		b.WriteString("\n" + line + "\n")
	}
	return b.String()
}

// HTML returns the same as a fragment of HTML for a page or a notebook, without scripts and without
// references to other files.
func (f *File) HTML() string {
	var b strings.Builder
	fmt.Fprintf(&b, "<div class=\"pgmc\" style=\"font-family:sans-serif;font-size:14px\">\n<p>%s</p>\n", html.EscapeString(f.headline()))
	for _, t := range f.tables() {
		b.WriteString(t.HTML())
	}
	for _, line := range f.remarks() {
		fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(line))
	}
	return b.String() + "</div>\n"
}

// CSV returns a line for each column.
func (f *File) CSV() []byte {
	t := &table.Table{}
	t.Add("column", "type", "kind", "values", "missing", "least", "most", "mean", "deviation", "quartile1", "median", "quartile3", "commonest", "rows", "concern")
	for i := range f.Columns {
		c := &f.Columns[i]
		cells := []string{c.Name, c.Type, c.Kind, strconv.Itoa(c.Values), strconv.Itoa(c.Missing), "", "", "", "", "", "", "", "", "", c.Concern}
		if n := c.Numbers; n != nil {
			for k, x := range []float64{*c.Least, *c.Most, n.Mean, n.Deviation, n.Quartiles[0], n.Quartiles[1], n.Quartiles[2]} {
				cells[5+k] = strconv.FormatFloat(x, 'g', -1, 64)
			}
		}
		if c.Common != nil {
			cells[12], cells[13] = c.Common[0].Value, strconv.Itoa(c.Common[0].Rows)
		}
		t.Add(cells...)
	}
	return t.CSV()
}

// headline describes the file in a line.
func (f *File) headline() string {
	groups := ""
	if f.Groups > 0 {
		groups = fmt.Sprintf(", %d %s", f.Groups, table.Plural("row group", f.Groups))
	}
	return fmt.Sprintf("%s: %d %s, %d of them with a missing value, %d %s%s", f.Name, f.Rows, table.Plural("row", f.Rows), f.Incomplete, len(f.Columns), table.Plural("column", len(f.Columns)), groups)
}

// tables returns the tables that have rows, the columns first.
func (f *File) tables() []*table.Table {
	list := []*table.Table{f.columnsTable()}
	for _, t := range []*table.Table{f.numbersTable(), f.dependenceTable()} {
		if len(t.Rows) > 1 {
			list = append(list, t)
		}
	}
	if m := f.Missingness; m != nil && len(m.Tests) > 0 {
		list = append(list, missingTable(m))
	}
	return list
}

// columnsTable describes the columns.
func (f *File) columnsTable() *table.Table {
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
	return t
}

// remarks returns what is special about the file, and what to do.
func (f *File) remarks() (list []string) {
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if slices.ContainsFunc(f.Columns, func(c Column) bool { return c.Unfit && c.Concern != "" }) && !f.Headless {
		add("* fewer than %d rows for each value, with which pgmc learn stops", RowsPerState)
	}
	for i := range f.Columns {
		c := &f.Columns[i]
		if c.example != "" {
			add("%s", f.explain(c))
		}
		if c.Numbers != nil && c.Sampled > 0 {
			add("column %q has so many different numbers that %d rows drawn at random give its mean, quartiles and histogram", c.Name, c.Sampled)
		}
	}
	if t := f.Order; t != nil {
		add("%d %s of %d %s in the order of time, %d of them moved: %d %s%s, %d without a row", t.Rows, table.Plural("row", t.Rows), t.Sequences, table.Plural("sequence", t.Sequences),
			t.Moved, t.Slices, table.Plural("slice", int(t.Slices)), t.StepText(), t.Empty)
	} else if i := slices.IndexFunc(f.Columns, func(c Column) bool { return c.Kind == Time }); i >= 0 {
		add("Times are no states, and pgmc learn leaves them out. If rows are slices of sequences, --time %s puts them in order.", shell(f.Columns[i].Name))
	}
	if f.Headless {
		add("The first line looks like a row: %s.", f.headers())
	}
	if d := f.Dependence; d != nil && d.Columns < f.comparable() {
		add("the dependence covers the first %d columns that can be compared, of %d", d.Columns, f.comparable())
	}
	if d := f.Dependence; d != nil && len(d.Pairs) > 0 && d.Rows < f.Rows {
		add("the dependence is computed from %d rows drawn at random", d.Rows)
	}
	if w := f.Wanted; w != nil {
		add("%.0f rows put a share within %g of its probability, except with a risk of %g; this file has %d", math.Ceil(w.Rows), w.Error, w.Risk, f.Rows)
	}
	if f.Missingness != nil {
		add("%s", f.Missingness)
	}
	if f.Try != "" {
		add("try: %s%s", f.Try, f.keepReal())
	}
	return list
}

// missingTable shows the tests with the least p-values.
func missingTable(m *rate.Missingness) *table.Table {
	const most = 10
	t := &table.Table{}
	t.Add("missing", "depends on", "rows", "p-value", "corrected")
	for _, x := range m.Tests[:min(most, len(m.Tests))] {
		t.Add(x.Variable, x.By, number(x.Rows), fmt.Sprintf("%.2g", x.PValue), fmt.Sprintf("%.2g", x.Corrected))
	}
	return t
}

// what describes the values of a column: the range of numbers, and the commonest values or, if all
// differ, the first.
func (c *Column) what() string {
	if c.From != "" {
		return c.From + " to " + c.To
	}
	var parts []string
	if c.Least != nil {
		if span := number(*c.Least) + " to " + number(*c.Most); c.Values > MostStates || c.Concern == Numbering {
			return span
		} else {
			parts = append(parts, span)
		}
	}
	var values []string
	for _, x := range c.Common[:min(examples, len(c.Common))] {
		values = append(values, fmt.Sprintf("%s: %d (%.1f %%)", shorten(x.Value), x.Rows, 100*x.Share))
	}
	if c.Common == nil {
		for _, s := range c.First {
			values = append(values, shorten(s))
		}
	}
	if c.Values > len(values) && values != nil {
		values = append(values, "...")
	}
	if values != nil {
		parts = append(parts, strings.Join(values, ", "))
	}
	return strings.Join(parts, "; ")
}

// shorten cuts a long text.
func shorten(s string) string {
	const most = 20
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}

// numbersTable describes the columns of numbers that measure something; empty if there are none.
func (f *File) numbersTable() *table.Table {
	t := &table.Table{}
	t.Add("numbers", "mean", "deviation", "quartile", "median", "quartile", "histogram")
	for i := range f.Columns {
		if c := &f.Columns[i]; c.Numbers != nil && c.Concern != Identifier && c.Concern != Numbering {
			q := c.Quartiles
			t.Add(c.Name, number(c.Mean), number(c.Deviation), number(q[0]), number(q[1]), number(q[2]), bars(c.Histogram))
		}
	}
	return t
}

// bars draws a histogram as a line of text.
func bars(list []contents.Bin) string {
	heights, most := []rune("▁▂▃▄▅▆▇█"), 0
	for _, b := range list {
		most = max(most, b.Rows)
	}
	var text []rune
	for _, b := range list {
		if b.Rows == 0 {
			text = append(text, '·')
		} else {
			text = append(text, heights[(b.Rows*len(heights)-1)/most])
		}
	}
	return string(text)
}

// comparable returns the number of columns that can be compared with others.
func (f *File) comparable() (n int) {
	for i := range f.Columns {
		if f.Columns[i].grouping() != contents.Skipped {
			n++
		}
	}
	return n
}

// dependenceTable lists the pairs of columns that depend most on each other; empty if there are none.
func (f *File) dependenceTable() *table.Table {
	t := &table.Table{}
	head := []string{"strongest dependence", "", "information", "share"}
	var pairs []contents.Pair
	if f.Dependence != nil {
		pairs = f.Dependence.Pairs
	}
	correlated := slices.ContainsFunc(pairs, func(p contents.Pair) bool { return p.Correlation != nil })
	if correlated {
		head = append(head, "correlation")
	}
	t.Add(head...)
	for _, p := range pairs {
		cells := []string{p.A, p.B, fmt.Sprintf("%.4f", p.Information), fmt.Sprintf("%.3f", p.Share)}
		if correlated {
			cells = append(cells, table.Optional("%.3f", p.Correlation))
		}
		t.Add(cells...)
	}
	return t
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
