package timeline

import (
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/data/times"
)

// Guard makes r check the order of its rows, if a column holds times: r.Next then returns an error
// at a row of an earlier time than the row before it in its sequence, of which the column sequence
// has the name. Guard looks at columns that are not variables. Of several columns of times, one in
// order is enough.
func Guard(r *rowfile.Reader, sequence string, variable func(column string) bool) error {
	names, err := r.SequenceNames(sequence)
	if err != nil {
		return err
	}
	g := &guard{r: r, names: names}
	var columns []int
	for i, c := range r.Columns {
		if c.Alien || c.Name == sequence || variable(c.Name) {
			continue
		}
		columns = append(columns, i)
		for _, f := range times.Formats() {
			g.clocks = append(g.clocks, &clock{column: i, format: f, last: map[string]string{}})
		}
	}
	if columns != nil {
		r.Watch(columns, g.row)
	}
	return nil
}

// guard checks the order of rows.
type guard struct {
	r      *rowfile.Reader
	names  *rowfile.SequenceNames
	clocks []*clock
}

// clock is a column in one format, in which all its texts so far are times.
type clock struct {
	column int
	format *times.Format
	last   map[string]string // by sequence: the last text
	goes   bool              // some row is later than the one before it
	wrong  error             // about the first row that is earlier; nil if none is
}

// row takes a row into account.
func (g *guard) row(rec *data.Record) error {
	if len(g.clocks) == 0 {
		return nil
	}
	name, err := g.names.Of(rec)
	if err != nil {
		return err
	}
	var left []*clock
	for _, c := range g.clocks {
		if g.tick(c, name, rec) {
			left = append(left, c)
		}
	}
	g.clocks = left
	for _, c := range left {
		if c.goes && c.wrong == nil {
			return nil
		}
		if err == nil {
			err = c.wrong
		}
	}
	return err
}

// tick takes a row into account for a column. It reports false if the row has no time there in the
// format of the clock.
func (g *guard) tick(c *clock, sequence string, rec *data.Record) bool {
	cell := &rec.Cells[c.column]
	if g.r.IsMissing(cell) {
		return true
	}
	text := strings.TrimSpace(cell.Text)
	before, known := c.last[sequence]
	if known && before == text {
		return true
	}
	now, ok := c.format.Parse(text)
	if !ok {
		return false
	}
	if last, _ := c.format.Parse(before); known {
		c.goes = c.goes || now.Instant() > last.Instant()
		if now.Instant() < last.Instant() && c.wrong == nil {
			column := g.r.Columns[c.column].Name
			c.wrong = diag.At(g.r.CellPos(rec, c.column), diag.Errorf("rows are not in the order of time: %q follows %q%s; want %v, which puts them in order, or leave the column out by %v",
				text, before, called(sequence), diag.Option{Name: "time", Value: column}, diag.Option{Name: "drop", Value: diag.QuoteName(column)}))
		}
	}
	if !known {
		sequence = strings.Clone(sequence)
	}
	c.last[sequence] = strings.Clone(text)
	return true
}
