package xmlbif

import (
	"bytes"
	"encoding/xml"
	"errors"
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
	if err := w.utilities(); err != nil {
		return err
	}
	if err := w.names(); err != nil {
		return err
	}
	w.buf.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<BIF VERSION=\"0.3\">\n<NETWORK>\n")
	w.element("NAME", m.Name)
	for _, v := range m.Vars {
		w.variable(v)
	}
	for _, u := range w.terms {
		w.buf.WriteString("<VARIABLE TYPE=\"utility\">\n")
		w.element("NAME", u.Name)
		w.buf.WriteString("</VARIABLE>\n")
	}
	if err := w.definitions(); err != nil {
		return err
	}
	w.buf.WriteString("</NETWORK>\n</BIF>\n")
	return nil
}

type writer struct {
	m     *model.Model
	buf   *bytes.Buffer
	terms []*model.Utility // without functions
}

// names returns an error if XML cannot spell a name, or if a reader would trim it.
func (w *writer) names() error {
	const why = "it has a control character or a blank at an end"
	if !canSpell(w.m.Name) {
		return fmt.Errorf("XMLBIF cannot hold the network name %q: %s", w.m.Name, why)
	}
	for _, u := range w.terms {
		if !canSpell(u.Name) {
			return fmt.Errorf("XMLBIF cannot hold the utility name %q: %s", u.Name, why)
		}
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
	kind := "nature"
	if v.Given {
		kind = decision
	}
	fmt.Fprintf(w.buf, "<VARIABLE TYPE=\"%s\">\n", kind)
	w.element("NAME", v.Name)
	for _, s := range w.m.States(v.ID) {
		w.element("OUTCOME", s)
	}
	if v.Latent {
		w.element("PROPERTY", "latent = true")
	}
	w.buf.WriteString("</VARIABLE>\n")
}

// utilities finds the utilities to write. Readers find them by name, so that each needs one of its
// own.
func (w *writer) utilities() (err error) {
	for _, v := range w.m.Vars {
		if v.Given && w.m.Decides(v.ID) == nil {
			return fmt.Errorf("XMLBIF cannot hold the given variable %q, which is no decision; json can", v.Name)
		}
	}
	if w.m.Diagram == nil {
		return nil
	}
	if w.m.Diagram.Asymmetry != nil {
		return errors.New("XMLBIF cannot hold a decision analysis network; json can")
	}
	if w.terms, err = w.m.Terms(w.m.Diagram.Roots(), maxTerm); err != nil {
		return err
	}
	taken := map[string]bool{}
	for _, v := range w.m.Vars {
		taken[v.Name] = true
	}
	for _, u := range w.terms {
		if taken[u.Name] {
			return fmt.Errorf("XMLBIF cannot hold the utility %q: a variable or another utility has its name", u.Name)
		}
		taken[u.Name] = true
	}
	return nil
}

// maxTerm is the most numbers of a utility that is a function of others.
const maxTerm = 1 << 22

// definitions writes the CPDs, what decisions know, and the utilities.
func (w *writer) definitions() error {
	for _, f := range w.m.Factors {
		values, err := cpt.Values(w.m, f)
		if err != nil {
			return err
		}
		w.definition(w.m.Vars[f.ChildVar()].Name, f.Parents(), values, w.m.Card(f.ChildVar()))
	}
	if w.m.Diagram == nil {
		return nil
	}
	for _, d := range w.m.Diagram.Decisions {
		w.definition(w.m.Vars[d.Var].Name, d.Known, nil, 1)
	}
	for _, u := range w.terms {
		row := 1
		if n := len(u.Scope); n > 0 {
			row = w.m.Card(u.Scope[n-1])
		}
		w.definition(u.Name, u.Scope, u.Values, row)
	}
	return nil
}

// definition writes a table, with a line for each row, in the fewest digits that read back as the
// same numbers, or without numbers what a decision knows.
func (w *writer) definition(name string, given []model.VarID, values []float64, row int) {
	w.buf.WriteString("<DEFINITION>\n")
	w.element("FOR", name)
	for _, v := range given {
		w.element("GIVEN", w.m.Vars[v].Name)
	}
	if values != nil {
		w.buf.WriteString("<TABLE>\n")
		for i, x := range values {
			w.buf.Write(strconv.AppendFloat(w.buf.AvailableBuffer(), x, 'g', -1, 64))
			if i%row == row-1 {
				w.buf.WriteByte('\n')
			} else {
				w.buf.WriteByte(' ')
			}
		}
		w.buf.WriteString("</TABLE>\n")
	}
	w.buf.WriteString("</DEFINITION>\n")
}
