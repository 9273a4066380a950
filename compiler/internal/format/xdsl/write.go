package xdsl

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/cpt"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

func write(out *format.Sink, m *model.Model) error {
	if m.Kind != model.Bayes {
		return fmt.Errorf("XDSL cannot hold a %v; want a Bayesian network", m.Kind)
	}
	w := &writer{m: m, buf: out.Add(out.Name), cpds: make([]int, len(m.Vars)), order: m.Topological()}
	w.plan()
	id := clean(m.Name)
	fmt.Fprintf(w.buf, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<smile version=\"1.0\" id=\"%s\">\n\t<nodes>\n", id)
	for _, v := range w.order {
		if err := w.node(m.Vars[v]); err != nil {
			return err
		}
	}
	w.buf.WriteString("\t</nodes>\n")
	if id != m.Name {
		fmt.Fprintf(w.buf, "\t<extensions>\n\t\t<%s>\n", extension)
		w.property(nameKey, quote(m.Name))
		fmt.Fprintf(w.buf, "\t\t</%s>\n\t</extensions>\n", extension)
	}
	w.buf.WriteString("</smile>\n")
	return nil
}

type writer struct {
	m     *model.Model
	buf   *bytes.Buffer
	ids   []string   // of nodes, by VarID
	state [][]string // the ids of the states, by VarID
	order []model.VarID
	cpds  []int // the index of each variable's CPD in the model
	moved bool  // some index in the file differs from that in the model
}

// plan chooses ids, and compares the order of the file with that of the model.
func (w *writer) plan() {
	names := make([]string, len(w.m.Vars))
	for i, v := range w.m.Vars {
		names[i] = v.Name
		w.state = append(w.state, text.Identifiers(w.m.States(v.ID), clean))
	}
	w.ids = text.Identifiers(names, clean)
	for i, f := range w.m.Factors {
		w.cpds[f.ChildVar()] = i
	}
	for i, v := range w.order {
		w.moved = w.moved || int(v) != i || w.cpds[v] != i
	}
}

// clean makes an identifier of a name. It returns an identifier unchanged.
func clean(name string) string {
	id := []byte(name)
	for i, c := range id {
		if !isLetter(c) && !('0' <= c && c <= '9') {
			id[i] = '_'
		}
	}
	if len(id) == 0 || !isLetter(id[0]) {
		return "x" + string(id)
	}
	return string(id)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// node writes a variable with its CPD.
func (w *writer) node(v *model.Var) error {
	f := w.m.Factors[w.cpds[v.ID]]
	d, deterministic := f.Dist.(*model.Deterministic)
	kind := "cpt"
	gaussian := f.Gaussian()
	switch {
	case deterministic:
		kind = "deterministic"
	case gaussian != nil:
		kind = "equation"
	}
	fmt.Fprintf(w.buf, "\t\t<%s id=\"%s\">\n", kind, w.ids[v.ID])
	for _, s := range w.state[v.ID] {
		fmt.Fprintf(w.buf, "\t\t\t<state id=\"%s\" />\n", s)
	}
	if parents := f.Parents(); len(parents) > 0 {
		w.buf.WriteString("\t\t\t<parents>")
		for i, parent := range parents {
			w.sep(i)
			w.buf.WriteString(w.ids[parent])
		}
		w.buf.WriteString("</parents>\n")
	}
	if gaussian != nil {
		w.equation(f, gaussian)
	} else if deterministic {
		w.results(d, w.state[v.ID])
	} else if err := w.numbers(f); err != nil {
		return err
	}
	w.properties(v)
	fmt.Fprintf(w.buf, "\t\t</%s>\n", kind)
	return nil
}

// sep writes a blank before all entries of a list but the first.
func (w *writer) sep(i int) {
	if i > 0 {
		w.buf.WriteByte(' ')
	}
}

// results writes the state for each joint state of the parents.
func (w *writer) results(d *model.Deterministic, ids []string) {
	w.buf.WriteString("\t\t\t<resultingstates>")
	for i, s := range d.States {
		w.sep(i)
		w.buf.WriteString(ids[s])
	}
	w.buf.WriteString("</resultingstates>\n")
}

// numbers writes a table in the fewest digits that read back as the same numbers.
func (w *writer) numbers(f *model.Factor) error {
	values, err := cpt.Values(w.m, f)
	if err != nil {
		return err
	}
	w.buf.WriteString("\t\t\t<probabilities>")
	for i, x := range values {
		w.sep(i)
		w.buf.Write(strconv.AppendFloat(w.buf.AvailableBuffer(), x, 'g', -1, 64))
	}
	w.buf.WriteString("</probabilities>\n")
	return nil
}

// properties writes the facts about v that XDSL itself cannot hold.
func (w *writer) properties(v *model.Var) {
	if w.ids[v.ID] != v.Name {
		w.property(nameKey, quote(v.Name))
	}
	states := w.m.States(v.ID)
	for i, s := range w.state[v.ID] {
		if s != states[i] {
			w.property(statesKey, quote(states))
			break
		}
	}
	if v.Latent {
		w.property(latentKey, "true")
	}
	if w.moved {
		w.property(orderKey, fmt.Sprint(int(v.ID), " ", w.cpds[v.ID]))
	}
}

func (w *writer) property(key, value string) {
	fmt.Fprintf(w.buf, "\t\t\t<property id=\"%s\">", key)
	xml.EscapeText(w.buf, []byte(value)) // fails only if the buffer does, which never happens
	w.buf.WriteString("</property>\n")
}
