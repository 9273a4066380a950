package uai

import (
	"bytes"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/model"
)

// maxTable bounds the numbers that a distribution of another kind may have as a table: about 50 MB
// of text.
const maxTable = 1 << 22

func write(out *format.Sink, m *model.Model) error {
	kind := "BAYES"
	if m.Kind == model.Markov || m.Kind == model.Forest { // the potential of a forest becomes a table
		kind = "MARKOV"
	}
	numbers.LoseNames(out, m, "UAI", "x", func(v model.VarID) int { return int(v) })
	w := out.Add(out.Name)
	fmt.Fprintf(w, "%s\n%d\n", kind, len(m.Vars))
	for i := range m.Vars {
		separate(w, i)
		numbers.Int(w, m.Card(model.VarID(i)))
	}
	fmt.Fprintf(w, "\n%d\n", len(m.Factors))
	for _, f := range m.Factors {
		numbers.Int(w, len(f.Scope))
		for _, v := range f.Scope {
			w.WriteByte(' ')
			numbers.Int(w, int(v))
		}
		w.WriteByte('\n')
	}
	for _, f := range m.Factors {
		if err := writeTable(w, m, f); err != nil {
			return err
		}
	}
	return nil
}

// writeTable writes the table of f. Each line has one number for each state of the last variable.
func writeTable(w *bytes.Buffer, m *model.Model, f *model.Factor) error {
	values, err := m.Tabulate(f, maxTable)
	if err != nil {
		return err
	}
	line := 1
	if n := len(f.Scope); n > 0 {
		line = m.Card(f.Scope[n-1])
	}
	fmt.Fprintf(w, "\n%d\n", len(values))
	for i, x := range values {
		separate(w, i%line)
		numbers.Float(w, x)
		if i%line == line-1 {
			w.WriteByte('\n')
		}
	}
	return nil
}

// separate writes a blank before all entries of a line but the first.
func separate(w *bytes.Buffer, i int) {
	if i > 0 {
		w.WriteByte(' ')
	}
}
