package rowfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/states"
)

// Writer writes rows of states and real values to a [data.Sink], such as one of CSV, with names of
// states, or rows of states in the format of Libra, with their numbers. Call Flush at the end.
type Writer struct {
	vars []data.Var
	sink data.Sink     // nil for Libra
	out  *bufio.Writer // of Libra
	line []byte

	states []int // of WriteRow
	reals  []float64
}

// NewWriter returns a writer to w in the format CSV or Libra. A header precedes the first row of
// CSV.
func NewWriter(w io.Writer, format Format, vars []data.Var) (*Writer, error) {
	for _, x := range vars {
		if x.Real && format == Libra {
			return nil, fmt.Errorf("variable %q is real-valued; the format of Libra holds states alone, and CSV holds both", x.Name)
		}
	}
	if format == Libra {
		return &Writer{vars: vars, out: bufio.NewWriterSize(w, 1<<16)}, nil
	}
	columns, err := Outputs(vars)
	if err != nil {
		return nil, err
	}
	return NewSinkWriter(NewCSV(w, ',', true, columns), vars), nil
}

// NewSinkWriter returns a writer to a sink, of which the columns are the [Outputs] of the
// variables.
func NewSinkWriter(s data.Sink, vars []data.Var) *Writer { return &Writer{vars: vars, sink: s} }

// Outputs returns the columns of a sink that hold variables.
func Outputs(vars []data.Var) (list []data.Output, err error) {
	for _, x := range vars {
		c := data.Output{Name: x.Name}
		if x.Real {
			c.Kind = data.Reals
		}
		if c.Mark, err = missingMark(x); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// missingMark returns the mark for Missing: the first that is not a state.
func missingMark(x data.Var) (string, error) {
	for _, m := range append([]string{""}, states.DefaultMissing()...) {
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
	if w.sink == nil {
		return w.writeNumbers(states, weight)
	}
	if weight != 1 {
		return errors.New("CSV and Parquet cannot hold the weights of rows; want the format of Libra")
	}
	for v, x := range w.vars {
		switch {
		case states[v] == data.Missing:
			w.sink.Missing()
		case x.Real:
			w.sink.Number(reals[v])
		default:
			w.sink.Text(x.States[states[v]])
		}
	}
	return w.sink.End()
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
		if s == data.Missing {
			b = append(b, '*')
		} else {
			b = strconv.AppendInt(b, int64(s), 10)
		}
	}
	w.line = append(b, '\n')
	_, err := w.out.Write(w.line)
	return err
}

// Flush writes buffered data. It ends the file of a sink.
func (w *Writer) Flush() error {
	if w.sink != nil {
		return w.sink.Flush()
	}
	return w.out.Flush()
}

// WriteRow writes row i of a set.
func (w *Writer) WriteRow(s *data.Set, i int) error {
	if w.states == nil {
		w.states, w.reals = make([]int, len(s.Vars)), make([]float64, len(s.Vars))
	}
	s.Row(i, w.states)
	return w.Write(w.states, s.Values(i, w.reals), s.Weight(i))
}

// WriteSet writes all rows of a set and flushes.
func (w *Writer) WriteSet(s *data.Set) error {
	for i := range s.Len() {
		if err := w.WriteRow(s, i); err != nil {
			return err
		}
	}
	return w.Flush()
}
