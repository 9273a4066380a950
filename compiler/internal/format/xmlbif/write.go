package xmlbif

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/cpt"
	"github.com/pgmc-go/pgmc/ir/model"
)

func write(out *format.Sink, m *model.Model) error {
	if m.Kind != model.Bayes {
		return fmt.Errorf("XMLBIF cannot hold a %v; want a Bayesian network", m.Kind)
	}
	w := &writer{m: m, buf: out.Add(out.Name)}
	if err := w.names(); err != nil {
		return err
	}
	w.buf.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<BIF VERSION=\"0.3\">\n<NETWORK>\n")
	w.element("NAME", m.Name)
	for _, v := range m.Vars {
		w.variable(v)
	}
	for _, f := range m.Factors {
		if err := w.definition(f); err != nil {
			return err
		}
	}
	w.buf.WriteString("</NETWORK>\n</BIF>\n")
	return nil
}

type writer struct {
	m   *model.Model
	buf *bytes.Buffer
}

// names returns an error if XML cannot spell a name, or if a reader would trim it.
func (w *writer) names() error {
	const why = "it has a control character or a blank at an end"
	if !canSpell(w.m.Name) {
		return fmt.Errorf("XMLBIF cannot hold the network name %q: %s", w.m.Name, why)
	}
	for _, v := range w.m.Vars {
		if !canSpell(v.Name) {
			return fmt.Errorf("XMLBIF cannot hold the variable name %q: %s", v.Name, why)
		}
		for _, s := range w.m.States(v.ID) {
			if !canSpell(s) {
				return fmt.Errorf("XMLBIF cannot hold the state %q of %q: %s", s, v.Name, why)
			}
		}
	}
	return nil
}

// canSpell reports whether name consists of the characters of XML 1.0 and has no blanks around it.
func canSpell(name string) bool {
	for _, r := range name {
		if r < ' ' && !strings.ContainsRune("\t\r\n", r) || r == 0xfffe || r == 0xffff {
			return false
		}
	}
	return name == strings.Trim(name, " \t\r\n")
}

// element writes an element with text, on its own line.
func (w *writer) element(tag, text string) {
	fmt.Fprintf(w.buf, "<%s>", tag)
	xml.EscapeText(w.buf, []byte(text)) // fails only if the buffer does, which never happens
	fmt.Fprintf(w.buf, "</%s>\n", tag)
}

func (w *writer) variable(v *model.Var) {
	w.buf.WriteString("<VARIABLE TYPE=\"nature\">\n")
	w.element("NAME", v.Name)
	for _, s := range w.m.States(v.ID) {
		w.element("OUTCOME", s)
	}
	if v.Latent {
		w.element("PROPERTY", "latent = true")
	}
	w.buf.WriteString("</VARIABLE>\n")
}

// definition writes one CPD, with a line for each joint state of the parents, in the fewest digits
// that read back as the same numbers.
func (w *writer) definition(f *model.Factor) error {
	values, err := cpt.Values(w.m, f)
	if err != nil {
		return err
	}
	w.buf.WriteString("<DEFINITION>\n")
	w.element("FOR", w.m.Vars[f.ChildVar()].Name)
	for _, v := range f.Parents() {
		w.element("GIVEN", w.m.Vars[v].Name)
	}
	w.buf.WriteString("<TABLE>\n")
	card := w.m.Card(f.ChildVar())
	for i, x := range values {
		w.buf.Write(strconv.AppendFloat(w.buf.AvailableBuffer(), x, 'g', -1, 64))
		if i%card == card-1 {
			w.buf.WriteByte('\n')
		} else {
			w.buf.WriteByte(' ')
		}
	}
	w.buf.WriteString("</TABLE>\n</DEFINITION>\n")
	return nil
}
