package timeline

import (
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
)

// rows holds the cells of rows.
type rows struct {
	n       int
	columns []column
	lines   []int32
	files   []int32 // by row: its place in names
	names   []string
	bytes   int64 // approximate memory
}

// column holds the cells of a column.
type column struct {
	text  []uint32 // by row: its place in texts, or 0 for a cell that is unknown
	col   []int32  // by row: where the cell begins in its line
	texts []string // from 1
	known map[string]uint32
}

// mostKnown is the most texts of a column of which each is held once.
const mostKnown = 1 << 16

// What takes memory: a cell, a row besides its cells, and a text besides its bytes.
const (
	cellBytes = 8
	rowBytes  = 56
	textBytes = 64
)

func newRows(columns int) *rows {
	r := &rows{columns: make([]column, columns)}
	for i := range r.columns {
		r.columns[i].texts, r.columns[i].known = []string{""}, map[string]uint32{}
	}
	return r
}

// add adds a row.
func (r *rows) add(rec *data.Record) {
	for i := range r.columns {
		c, cell := &r.columns[i], &rec.Cells[i]
		place, known := c.known[cell.Text]
		switch {
		case cell.Unknown:
			place = 0
		case !known:
			place = uint32(len(c.texts))
			text := strings.Clone(cell.Text)
			c.texts = append(c.texts, text)
			if len(c.known) < mostKnown {
				c.known[text] = place
			}
			r.bytes += textBytes + int64(len(text))
		}
		c.text, c.col = append(c.text, place), append(c.col, int32(cell.Col))
	}
	if n := len(r.names); n == 0 || r.names[n-1] != rec.Pos.File {
		r.names = append(r.names, rec.Pos.File)
	}
	r.lines, r.files = append(r.lines, int32(rec.Pos.Line)), append(r.files, int32(len(r.names)-1))
	r.bytes += rowBytes + cellBytes*int64(len(r.columns))
	r.n++
}

// cell returns a cell.
func (r *rows) cell(row, column int) data.Cell {
	c := &r.columns[column]
	place := c.text[row]
	return data.Cell{Text: c.texts[place], Unknown: place == 0, Line: int(r.lines[row]), Col: int(c.col[row])}
}

// pos returns the position of a cell.
func (r *rows) pos(row, column int) diag.Pos {
	return diag.Pos{File: r.names[r.files[row]], Line: int(r.lines[row]), Col: int(r.columns[column].col[row])}
}
