package predict

import (
	"io"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/learn/data"
)

// lineWriter writes lines of CSV.
type lineWriter struct {
	out   io.Writer
	comma byte
	b     []byte
	begun bool // the line has a cell
}

func (w *lineWriter) separate() {
	if w.begun {
		w.b = append(w.b, w.comma)
	}
	w.begun = true
}

func (w *lineWriter) text(s string) {
	w.separate()
	w.b = data.AppendCSV(w.b, s)
}

func (w *lineWriter) cells(rec *data.Record) {
	for _, c := range rec.Cells {
		w.text(c.Text)
	}
}

func (w *lineWriter) numbers(list []float64) {
	for _, x := range list {
		w.separate()
		w.b = rows.AppendNumber(w.b, x)
	}
}

func (w *lineWriter) empty(n int) {
	for range n {
		w.separate()
	}
}

// end ends the line. It writes the buffered lines once they exceed 64 KiB.
func (w *lineWriter) end() error {
	w.b, w.begun = append(w.b, '\n'), false
	if len(w.b) < 1<<16 {
		return nil
	}
	return w.flush()
}

func (w *lineWriter) flush() error {
	_, err := w.out.Write(w.b)
	w.b = w.b[:0]
	return err
}
