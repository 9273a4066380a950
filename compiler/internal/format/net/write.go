package net

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/cpt"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

func write(out *format.Sink, m *model.Model) error {
	if m.Kind != model.Bayes {
		return fmt.Errorf("NET cannot hold a %v; want a Bayesian network", m.Kind)
	}
	w := &writer{m: m, buf: out.Add(out.Name)}
	if err := w.check(); err != nil {
		return err
	}
	w.identifiers()
	w.buf.WriteString("net\n{\n")
	if m.Name != "" {
		w.attribute("name", m.Name)
	}
	w.buf.WriteString("}\n")
	for _, v := range m.Vars {
		w.node(v)
	}
	for _, f := range m.Factors {
		if err := w.potential(f); err != nil {
			return err
		}
	}
	return nil
}

type writer struct {
	m   *model.Model
	buf *bytes.Buffer
	ids []string // of nodes, by VarID
}

// check returns an error if the language cannot spell a name.
func (w *writer) check() error {
	if !canSpell(w.m.Name) {
		return fmt.Errorf("NET cannot hold the network name %q: a control character", w.m.Name)
	}
	for _, v := range w.m.Vars {
		if !canSpell(v.Name) {
			return fmt.Errorf("NET cannot hold the variable name %q: a control character", v.Name)
		}
		for _, s := range w.m.States(v.ID) {
			if !canSpell(s) {
				return fmt.Errorf("NET cannot hold the state %q of %q: a control character", s, v.Name)
			}
		}
	}
	return nil
}

// canSpell reports whether every character of s is text or has an escape.
func canSpell(s string) bool {
	for _, c := range []byte(s) {
		if isControl(c) {
			return false
		}
	}
	return true
}

// escaper escapes what unescape reads.
var escaper = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`, "\t", `\t`, "\r", `\r`)

func spell(s string) string { return `"` + escaper.Replace(s) + `"` }

func (w *writer) attribute(key, value string) {
	fmt.Fprintf(w.buf, "    %s = %s;\n", key, spell(value))
}

// identifiers gives each variable an identifier.
func (w *writer) identifiers() {
	names := make([]string, len(w.m.Vars))
	for i, v := range w.m.Vars {
		names[i] = v.Name
	}
	w.ids = text.Identifiers(names, sanitise)
}

// keywords lists the words that cannot name nodes.
var keywords = map[string]bool{"net": true, "class": true, "node": true, "discrete": true, "continuous": true, "decision": true,
	"utility": true, "function": true, "instance": true, "potential": true}

// sanitise makes an identifier of a name: a letter or underscore, then letters, underscores and
// digits. A keyword is not an identifier. It returns an identifier unchanged.
func sanitise(name string) string {
	id := []byte(name)
	for i, c := range id {
		if !isLetter(c) && !('0' <= c && c <= '9') {
			id[i] = '_'
		}
	}
	if len(id) == 0 || !isLetter(id[0]) || keywords[name] {
		return "v" + string(id)
	}
	return string(id)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' }

func (w *writer) node(v *model.Var) {
	if w.m.IsReal(v.ID) {
		w.buf.WriteString("continuous ")
	}
	fmt.Fprintf(w.buf, "node %s\n{\n", w.ids[v.ID])
	if w.ids[v.ID] != v.Name {
		w.attribute("label", v.Name)
		w.attribute(nameKey, v.Name)
	}
	if !w.m.IsReal(v.ID) {
		w.states(v)
	}
	if v.Latent {
		w.attribute(latentKey, "true")
	}
	w.buf.WriteString("}\n")
}

func (w *writer) states(v *model.Var) {
	w.buf.WriteString("    states = (")
	for i, s := range w.m.States(v.ID) {
		if i > 0 {
			w.buf.WriteByte(' ')
		}
		w.buf.WriteString(spell(s))
	}
	w.buf.WriteString(");\n")
}

// potential writes one CPD, with a line for each joint state of the discrete parents.
func (w *writer) potential(f *model.Factor) error {
	w.header(f)
	if d := f.Gaussian(); d != nil {
		w.gaussian(f, d)
		return nil
	}
	values, err := cpt.Values(w.m, f)
	if err != nil {
		return err
	}
	card := w.m.Card(f.ChildVar())
	w.data(f.Parents(), len(values)/card, func(row int) { w.row(values[row*card:][:card]) })
	return nil
}

// header writes `potential (child | parents)`.
func (w *writer) header(f *model.Factor) {
	parents := f.Parents()
	fmt.Fprintf(w.buf, "potential (%s", w.ids[f.ChildVar()])
	for i, v := range parents {
		if i == 0 {
			w.buf.WriteString(" |")
		}
		w.buf.WriteString(" " + w.ids[v])
	}
	w.buf.WriteString(")\n{\n    data = ")
}

// data writes the rows for the joint states of parents, each on a line.
func (w *writer) data(parents []model.VarID, rows int, write func(row int)) {
	for i := range rows {
		if i > 0 {
			w.buf.WriteString("\n            ")
		}
		w.open(parents, i)
		write(i)
		w.close(parents, i)
	}
	w.buf.WriteString(";\n}\n")
}

// open writes the opening brackets of a row: one for each parent that is in its first state
// together with all later parents.
func (w *writer) open(parents []model.VarID, row int) {
	for i := len(parents) - 1; i >= 0 && row%w.m.Card(parents[i]) == 0; i-- {
		row /= w.m.Card(parents[i])
		w.buf.WriteByte('(')
	}
}

// close writes the closing brackets of a row, for the parents in their last state.
func (w *writer) close(parents []model.VarID, row int) {
	for i := len(parents) - 1; i >= 0 && row%w.m.Card(parents[i]) == w.m.Card(parents[i])-1; i-- {
		row /= w.m.Card(parents[i])
		w.buf.WriteByte(')')
	}
}

// row writes `(0.1 0.9)` in the fewest digits that read back as the same numbers.
func (w *writer) row(row []float64) {
	sep := byte('(')
	for _, x := range row {
		w.buf.WriteByte(sep)
		w.buf.Write(strconv.AppendFloat(w.buf.AvailableBuffer(), x, 'g', -1, 64))
		sep = ' '
	}
	w.buf.WriteByte(')')
}
