package timeline

import (
	"io"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// writer returns the rows of slices.
type writer struct {
	*orderer
	sequence int
	at       int   // the next row of the sequence
	slice    int64 // the next slice of the sequence
}

// next sets rec to the row of the next slice.
func (w *writer) next(rec *data.Record) error {
	for w.sequence < len(w.of) && w.at == len(w.of[w.sequence].rows) {
		w.sequence, w.at, w.slice = w.sequence+1, 0, 0
	}
	if w.sequence == len(w.of) {
		return io.EOF
	}
	s, first := w.of[w.sequence], w.at
	for w.at < len(s.rows) && s.slice[w.at] == w.slice {
		w.at++
	}
	rows := s.rows[first:w.at]
	of := s.rows[max(first, w.at-1)] // the last of them, or the next row
	rec.Pos = w.rows.pos(of, 0)
	for c := range rec.Cells {
		switch {
		case len(rows) == 0 && !w.names.In(c):
			rec.Cells[c] = data.Cell{Unknown: true, Line: rec.Pos.Line, Col: rec.Pos.Col}
		case len(rows) > 1:
			rec.Cells[c] = w.joined(rows, c)
		default:
			rec.Cells[c] = w.rows.cell(of, c)
		}
	}
	if w.joins || len(rows) == 0 {
		rec.Cells[w.time] = data.Cell{Text: w.Step.After(s.start, w.slice).Like(strings.TrimSpace(w.timeText(of)), w.Format), Line: rec.Pos.Line, Col: rec.Pos.Col}
	}
	w.slice++
	return nil
}

// joined returns the cell of several rows in a column: the mean of a real variable, or the last
// value. If a value of a real variable is no number, it is that one.
func (w *writer) joined(rows []int, column int) (cell data.Cell) {
	n, sum := 0, 0.0
	cell = w.rows.cell(rows[0], column)
	for _, row := range rows {
		x := w.rows.cell(row, column)
		if w.r.IsMissing(&x) {
			continue
		}
		if cell = x; w.real[column] {
			value, err := model.Real{}.Parse(strings.TrimSpace(x.Text))
			if err != nil {
				return x
			}
			n, sum = n+1, sum+value.Real
		}
	}
	if n > 1 {
		cell.Text = strconv.FormatFloat(sum/float64(n), 'g', -1, 64)
	}
	return cell
}
