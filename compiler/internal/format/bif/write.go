package bif

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
)

// maxTable bounds the numbers that a distribution of another kind may have as a table: about 50 MB
// of text.
const maxTable = 1 << 22

func write(out *format.Sink, m *model.Model) error {
	if m.Kind != model.Bayes {
		return fmt.Errorf("BIF cannot hold a %v; want a Bayesian network", m.Kind)
	}
	w := &writer{m: m, buf: out.Add(out.Name)}
	if err := w.names(); err != nil {
		return err
	}
	fmt.Fprintf(w.buf, "network %s {\n}\n", spell(m.Name))
	for _, v := range m.Vars {
		w.variable(v)
	}
	for _, f := range m.Factors {
		if err := w.factor(f); err != nil {
			return err
		}
	}
	return nil
}

type writer struct {
	m   *model.Model
	buf *bytes.Buffer
}

// names returns an error if BIF cannot spell one of the names.
func (w *writer) names() error {
	if !canSpell(w.m.Name) {
		return fmt.Errorf("BIF cannot hold the network name %q: a quote or control character", w.m.Name)
	}
	for _, v := range w.m.Vars {
		if !canSpell(v.Name) {
			return fmt.Errorf("BIF cannot hold the variable name %q: a quote or control character", v.Name)
		}
		for _, s := range w.m.States(v.ID) {
			if !canSpell(s) {
				return fmt.Errorf("BIF cannot hold the state %q of %q: a quote or control character", s, v.Name)
			}
		}
	}
	return nil
}

// canSpell reports whether a name can be written in quotes, which have no escapes.
func canSpell(name string) bool {
	for _, c := range []byte(name) {
		if c == '"' || c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// spell returns a name as the file has it. It adds quotes unless the name consists of characters
// that networks in circulation have in bare names.
func spell(name string) string {
	bare := name != ""
	for _, c := range []byte(name) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		digit := '0' <= c && c <= '9'
		if !letter && !digit && strings.IndexByte("_-.+/<=>%", c) < 0 {
			bare = false
		}
	}
	if !bare || strings.Contains(name, "//") {
		return `"` + name + `"`
	}
	return name
}

func (w *writer) variable(v *model.Var) {
	states := w.m.States(v.ID)
	fmt.Fprintf(w.buf, "variable %s {\n  type discrete [ %d ] { ", spell(v.Name), len(states))
	for i, s := range states {
		if i > 0 {
			w.buf.WriteString(", ")
		}
		w.buf.WriteString(spell(s))
	}
	w.buf.WriteString(" };\n")
	if v.Latent {
		w.buf.WriteString("  property latent = true;\n")
	}
	w.buf.WriteString("}\n")
}

// factor writes one CPD.
func (w *writer) factor(f *model.Factor) error {
	parents := f.Parents()
	fmt.Fprintf(w.buf, "probability ( %s", spell(w.m.Vars[f.ChildVar()].Name))
	for i, v := range parents {
		sep := ", "
		if i == 0 {
			sep = " | "
		}
		w.buf.WriteString(sep + spell(w.m.Vars[v].Name))
	}
	w.buf.WriteString(" ) {\n")
	d, ok := f.Dist.(*model.NoisyMax)
	if ok && len(parents) > 0 && w.quietCauses(f, d) {
		w.noisyMax(f, d)
	} else if err := w.table(f); err != nil {
		return err
	}
	w.buf.WriteString("}\n")
	return nil
}

// quietCauses reports whether each cause in its first state contributes the first state of the
// child. BIF has no row that states anything else.
func (w *writer) quietCauses(f *model.Factor, d *model.NoisyMax) bool {
	unit := make([]float64, w.m.Card(f.ChildVar()))
	unit[0] = 1
	for _, cause := range d.Cause {
		if !slices.Equal(cause[:len(unit)], unit) {
			return false
		}
	}
	return true
}

func (w *writer) noisyMax(f *model.Factor, d *model.NoisyMax) {
	w.buf.WriteString("  property function max;\n")
	parents, card := f.Parents(), w.m.Card(f.ChildVar())
	state := make([]int, len(w.m.Vars))
	w.label(parents, state)
	w.numbers(d.Leak)
	for i, v := range parents {
		for s := 1; s < w.m.Card(v); s++ {
			state[v] = s
			w.label(parents, state)
			w.numbers(d.Cause[i][s*card : (s+1)*card])
		}
		state[v] = 0
	}
}

// table writes the rows of f's table, first parent slowest.
func (w *writer) table(f *model.Factor) error {
	values, err := w.m.Tabulate(f, maxTable)
	if err != nil {
		return err
	}
	parents := f.Parents()
	stride := make(map[model.VarID]int, len(f.Scope))
	for i, size := len(f.Scope)-1, 1; i >= 0; i-- {
		stride[f.Scope[i]] = size
		size *= w.m.Card(f.Scope[i])
	}
	numbers := make([]float64, w.m.Card(f.ChildVar()))
	state := make([]int, len(w.m.Vars))
	for more := true; more; more = w.m.Next(parents, state) {
		at := 0
		for _, v := range parents {
			at += state[v] * stride[v]
		}
		for x := range numbers {
			numbers[x] = values[at+x*stride[f.ChildVar()]]
		}
		if len(parents) == 0 {
			w.buf.WriteString("  table")
		} else {
			w.label(parents, state)
		}
		w.numbers(numbers)
	}
	return nil
}

// label starts a row: `  (yes, no)`.
func (w *writer) label(parents []model.VarID, state []int) {
	sep := "  ("
	for _, v := range parents {
		w.buf.WriteString(sep)
		w.buf.WriteString(spell(w.m.States(v)[state[v]]))
		sep = ", "
	}
	w.buf.WriteByte(')')
}

// numbers ends a row: ` 0.1, 0.9;`. It writes the fewest digits that read back as the same number.
func (w *writer) numbers(row []float64) {
	for i, x := range row {
		if i > 0 {
			w.buf.WriteByte(',')
		}
		w.buf.WriteByte(' ')
		w.buf.Write(strconv.AppendFloat(w.buf.AvailableBuffer(), x, 'g', -1, 64))
	}
	w.buf.WriteString(";\n")
}
