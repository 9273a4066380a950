package json

import (
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/jsontext"
	"github.com/pgmc-go/pgmc/ir/model"
)

// diagram reads decisions and utilities, if there are some.
func (p *parser) diagram(o *jsontext.Object) {
	for _, part := range []struct {
		field string
		read  func()
	}{{"decisions", p.decisions}, {"utilities", p.utilities}} {
		if p.Enter(o, part.field) {
			if p.m.Diagram == nil {
				p.m.Diagram = &model.Diagram{}
			}
			part.read()
		}
	}
}

// decisions reads the known variables of each decision.
func (p *parser) decisions() {
	p.Array("a list of decisions", func() {
		o := p.Fields("a decision", "variable", "knows")
		d := &model.Decision{Pos: p.Pos(o.Off)}
		p.Need(o, "variable")
		d.Var, _ = p.variableName()
		if p.Enter(o, "knows") {
			p.Array("a list of variables", func() {
				v, _ := p.variableName()
				d.Known = append(d.Known, v)
			})
		}
		p.Leave(o)
		p.m.Diagram.Decisions = append(p.m.Diagram.Decisions, d)
	})
}

// utilities reads the terms that decisions maximise.
func (p *parser) utilities() {
	p.Array("a list of utilities", func() {
		o := p.Fields("a utility", "name", "scope", "table")
		u := &model.Utility{Pos: p.Pos(o.Off)}
		p.Need(o, "name")
		u.Name = strings.Clone(p.Expect(jsontext.Str, "the name of a utility").Text)
		p.Need(o, "scope")
		p.Array("a list of variables", func() {
			v, _ := p.variableName()
			u.Scope = append(u.Scope, v)
		})
		p.Need(o, "table")
		u.Values, _ = p.numbers()
		p.Leave(o)
		p.m.Diagram.Utilities = append(p.m.Diagram.Utilities, u)
	})
}

// writeDiagram writes decisions and utilities.
func (w *writer) writeDiagram() {
	d := w.m.Diagram
	w.WriteString(",\n  \"decisions\": ")
	w.block("  ", len(d.Decisions), func(i int) {
		x := d.Decisions[i]
		w.WriteString(`{"variable": `)
		w.variableName(x.Var)
		w.WriteString(`, "knows": `)
		w.line(len(x.Known), func(k int) { w.variableName(x.Known[k]) })
		w.WriteByte('}')
	})
	w.WriteString(",\n  \"utilities\": ")
	w.block("  ", len(d.Utilities), func(i int) {
		u := d.Utilities[i]
		w.WriteString("{\n" + inFactor + `"name": `)
		w.string(u.Name)
		w.WriteString(",\n" + inFactor + `"scope": `)
		w.line(len(u.Scope), func(k int) { w.variableName(u.Scope[k]) })
		w.WriteString(",\n" + inFactor + `"table": `)
		w.rows(inFactor, u.Values, w.lastCard(u.Scope))
		w.WriteString("\n    }")
	})
}
