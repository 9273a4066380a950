package data

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Writer writes rows of states and real values, as CSV with names of states, or rows of states in
// the format of Libra, with their numbers. Call Flush at the end.
type Writer struct {
	vars  []Var
	marks []string // by variable: the mark of Missing; nil for Libra
	out   *bufio.Writer
	line  []byte

	states []int // of WriteRow
	reals  []float64
}

// NewWriter returns a writer to w in the format CSV or Libra. A header precedes the first row of
// CSV.
func NewWriter(w io.Writer, format Format, vars []Var) (*Writer, error) {
	for _, x := range vars {
		if x.Real && format == Libra {
			return nil, fmt.Errorf("variable %q is real-valued; the format of Libra holds states alone, and CSV holds both", x.Name)
		}
	}
	out := &Writer{vars: vars, out: bufio.NewWriterSize(w, 1<<16)}
	if format == Libra {
		return out, nil
	}
	for _, x := range vars {
		mark, err := missingMark(x)
		if err != nil {
			return nil, err
		}
		out.marks = append(out.marks, mark)
	}
	return out, out.writeLine(func(v int) string { return vars[v].Name })
}

// missingMark returns the mark for Missing: the first that is not a state.
func missingMark(x Var) (string, error) {
	for _, m := range append([]string{""}, DefaultMissing()...) {
		if !slices.Contains(x.States, m) {
			return m, nil
		}
	}
	return "", fmt.Errorf("the states of %q are all marks of missing values, which leaves none for those", x.Name)
}

// Write writes a row: by variable a state, or Missing, and in reals the value of a real one with a
// state that is not Missing. reals may be nil if no variable is real. CSV cannot hold a weight
// other than 1.
func (w *Writer) Write(states []int, reals []float64, weight float64) error {
	if w.marks == nil {
		return w.writeNumbers(states, weight)
	}
	if weight != 1 {
		return errors.New("CSV cannot hold the weights of rows; want the format of Libra")
	}
	return w.writeLine(func(v int) string {
		if states[v] == Missing {
			return w.marks[v]
		}
		if w.vars[v].Real {
			return model.Real{}.Text(model.Value{Real: reals[v]})
		}
		return w.vars[v].States[states[v]]
	})
}

// writeLine writes a line of CSV.
func (w *Writer) writeLine(field func(v int) string) error {
	b := w.line[:0]
	for v := range w.vars {
		if v > 0 {
			b = append(b, ',')
		}
		b = AppendCSV(b, field(v))
	}
	if len(b) == 0 {
		b = append(b, `""`...) // a blank line would be no row
	}
	w.line = append(b, '\n')
	_, err := w.out.Write(w.line)
	return err
}

// AppendCSV appends a value of a CSV row. It quotes a value that has a separator of any kind, a
// quote, an end of line or surrounding blanks, or that looks like a byte order mark.
func AppendCSV(b []byte, s string) []byte {
	plain := strings.TrimSpace(s) == s && utf8.ValidString(s) && !strings.HasPrefix(s, "\ufeff")
	if plain && !strings.ContainsAny(s, ",;\t|\"\r\n") {
		return append(b, s...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(s, `"`, `""`)...)
	return append(b, '"')
}

func (w *Writer) writeNumbers(states []int, weight float64) error {
	b := w.line[:0]
	if weight != 1 {
		b = append(strconv.AppendFloat(b, weight, 'g', -1, 64), '|')
	}
	for v, s := range states {
		if v > 0 {
			b = append(b, ',')
		}
		if s == Missing {
			b = append(b, '*')
		} else {
			b = strconv.AppendInt(b, int64(s), 10)
		}
	}
	w.line = append(b, '\n')
	_, err := w.out.Write(w.line)
	return err
}

// Flush writes buffered data.
func (w *Writer) Flush() error { return w.out.Flush() }

// WriteRow writes row i.
func (s *Set) WriteRow(w *Writer, i int) error {
	if w.states == nil {
		w.states, w.reals = make([]int, len(s.Vars)), make([]float64, len(s.Vars))
	}
	s.Row(i, w.states)
	for v, x := range s.reals {
		if x != nil {
			w.reals[v] = x[i]
		}
	}
	return w.Write(w.states, w.reals, s.Weight(i))
}

// Write writes all rows and flushes.
func (s *Set) Write(w *Writer) error {
	for i := range s.rows {
		if err := s.WriteRow(w, i); err != nil {
			return err
		}
	}
	return w.Flush()
}
