package table

import (
	"fmt"
	"html"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// Once returns s for k = 0 and "" otherwise, so that a name that several rows share is printed only
// in the first.
func Once(k int, s string) string {
	if k > 0 {
		return ""
	}
	return s
}

// Table lays out text in columns. A column of numbers, whose first cell may be a heading, is
// aligned to the right.
type Table struct{ Rows [][]string }

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Addf appends a row of the cells of a format, which bars separate.
func (t *Table) Addf(format string, values ...any) {
	cells, used := strings.Split(format, "|"), 0
	for i, cell := range cells {
		n := strings.Count(cell, "%") - 2*strings.Count(cell, "%%")
		cells[i] = fmt.Sprintf(cell, values[used:used+n]...)
		used += n
	}
	t.Add(cells...)
}

// String returns a line for each row. Characters that would break a line or move a cursor are
// escaped.
func (t *Table) String() string {
	var width []int
	var text []int // by column: how many cells below the first are no numbers
	for r, row := range t.Rows {
		for i, cell := range row {
			row[i] = Printable(cell)
			if i == len(width) {
				width, text = append(width, 0), append(text, 0)
			}
			if r > 0 && !isNumber(row[i]) || len(t.Rows) == 1 {
				text[i]++
			}
			width[i] = max(width[i], utf8.RuneCountInString(row[i]))
		}
	}
	var b strings.Builder
	for _, row := range t.Rows {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if i > 0 {
				line.WriteString("  ")
			}
			if text[i] == 0 {
				line.WriteString(pad + cell)
			} else {
				line.WriteString(cell + pad)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// Printable returns s, quoted as in Go if it holds characters that do not print.
func Printable(s string) string {
	q := fmt.Sprintf("%q", s)
	if q == `"`+s+`"` || strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(q) == `"`+s+`"` {
		return s
	}
	return q
}

// isNumber reports whether a cell is a number.
func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// AlignRight pads the cells of all columns but the first on their left. All rows must have as many
// cells as the first.
func (t *Table) AlignRight() {
	for k := 1; k < len(t.Rows[0]); k++ {
		width := 0
		for _, row := range t.Rows {
			width = max(width, utf8.RuneCountInString(row[k]))
		}
		for _, row := range t.Rows {
			row[k] = strings.Repeat(" ", width-utf8.RuneCountInString(row[k])) + row[k]
		}
	}
}

// HTML returns the cells as a table of HTML. The first row and the first column are headings.
func (t *Table) HTML() string {
	const gap = " style=\"padding-right:1em\""
	var b strings.Builder
	b.WriteString("<table style=\"border-collapse:collapse;text-align:left\">\n<thead><tr>")
	for _, head := range t.Rows[0] {
		fmt.Fprintf(&b, "<th scope=\"col\"%s>%s</th>", gap, html.EscapeString(head))
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for _, row := range t.Rows[1:] {
		fmt.Fprintf(&b, "<tr><th scope=\"row\"%s>%s</th>", gap, html.EscapeString(row[0]))
		for _, cell := range row[1:] {
			fmt.Fprintf(&b, "<td%s>%s</td>", gap, html.EscapeString(cell))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody></table>\n")
	return b.String()
}

// CSV returns the cells as comma-separated values, a line for each row.
func (t *Table) CSV() []byte {
	var b []byte
	for _, row := range t.Rows {
		for i, cell := range row {
			if i > 0 {
				b = append(b, ',')
			}
			b = rowfile.AppendCSV(b, cell)
		}
		b = append(b, '\n')
	}
	return b
}
