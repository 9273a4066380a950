package data

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// missingMarks are what CSV writes for a missing value, the first that is no state.
var missingMarks = []string{"", "NA", "?", "*", "NaN", "null", "N/A"}

// Writer writes rows of states as CSV with names, or in the format of Libra with numbers of states. Flush ends it.
type Writer struct {
	vars   []Var
	marks  []string // CSV, by variable: what stands for Missing
	csv    *csv.Writer
	text   *bufio.Writer // Libra
	fields []string
	buf    []byte
}

// NewWriter writes to w, in the format CSV or Libra; a header goes before the first row.
func NewWriter(w io.Writer, format Format, vars []Var) (*Writer, error) {
	if format == Libra {
		return &Writer{vars: vars, text: bufio.NewWriterSize(w, 1<<16)}, nil
	}
	out := &Writer{vars: vars, csv: csv.NewWriter(w), fields: make([]string, len(vars))}
	for v, x := range vars {
		mark, err := missingMark(x, len(vars) == 1)
		if err != nil {
			return nil, err
		}
		out.marks = append(out.marks, mark)
		out.fields[v] = x.Name
	}
	return out, out.csv.Write(out.fields)
}

// missingMark chooses what stands for Missing. A line of one empty value would be no row.
func missingMark(x Var, alone bool) (string, error) {
	for _, m := range missingMarks {
		if !slices.Contains(x.States, m) && !(alone && m == "") {
			return m, nil
		}
	}
	return "", fmt.Errorf("the states of %q are all marks of missing values, which leaves none for those", x.Name)
}

// Write writes the states of a row, by variable, or Missing. CSV has no place for a weight other than 1.
func (w *Writer) Write(states []int, weight float64) error {
	if w.csv == nil {
		return w.writeNumbers(states, weight)
	}
	if weight != 1 {
		return errors.New("CSV has no place for the weights of rows; want the format of Libra")
	}
	for v, s := range states {
		if s == Missing {
			w.fields[v] = w.marks[v]
		} else {
			w.fields[v] = w.vars[v].States[s]
		}
	}
	return w.csv.Write(w.fields)
}

func (w *Writer) writeNumbers(states []int, weight float64) error {
	b := w.buf[:0]
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
	w.buf = append(b, '\n')
	_, err := w.text.Write(w.buf)
	return err
}

// Flush hands over what is still held back.
func (w *Writer) Flush() error {
	if w.csv == nil {
		return w.text.Flush()
	}
	w.csv.Flush()
	return w.csv.Error()
}

// Write writes all rows and flushes.
func (s *Set) Write(w *Writer) error {
	states := make([]int, len(s.Vars))
	for row := range s.rows {
		s.Row(row, states)
		if err := w.Write(states, s.Weight(row)); err != nil {
			return err
		}
	}
	return w.Flush()
}
