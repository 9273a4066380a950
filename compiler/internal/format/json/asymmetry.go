package json

import (
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/jsontext"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// asymmetry reads what makes a diagram a decision analysis network.
func (p *parser) asymmetry() {
	o := p.Fields("an asymmetry", "observed", "restrictions", "reveals")
	a := &model.Asymmetry{Pos: p.Pos(o.Off)}
	p.m.Diagram.Asymmetry = a
	if p.Enter(o, "observed") {
		p.Array("a list of variables", func() {
			v, _ := p.variableName()
			a.Observed = append(a.Observed, v)
		})
	}
	if p.Enter(o, "restrictions") {
		p.Array("a list of restrictions", func() { a.Restrictions = append(a.Restrictions, p.restriction()) })
	}
	if p.Enter(o, "reveals") {
		p.Array("a list of revelations", func() { a.Reveals = append(a.Reveals, p.reveal()) })
	}
	p.Leave(o)
}

// restriction reads which states of a variable a parent allows.
func (p *parser) restriction() *model.Restriction {
	o := p.Fields("a restriction", "parent", "child", "allowed")
	r := &model.Restriction{Pos: p.Pos(o.Off)}
	p.Need(o, "parent")
	r.Parent, _ = p.variableName()
	p.Need(o, "child")
	r.Child, _ = p.variableName()
	p.Need(o, "allowed")
	values, offs := p.numbers()
	for i, x := range values {
		if x != 0 && x != 1 {
			p.Fail(offs[i], "found %v; want 1 for what is allowed, and 0", x)
		}
		r.Allowed = append(r.Allowed, x != 0)
	}
	p.Leave(o)
	return r
}

// reveal reads which states of a variable make another one known.
func (p *parser) reveal() *model.Reveal {
	o := p.Fields("a revelation", "by", "states", "variable")
	r := &model.Reveal{Pos: p.Pos(o.Off)}
	p.Need(o, "by")
	r.By, _ = p.variableName()
	p.Need(o, "states")
	p.Array("a list of states", func() {
		t := p.Expect(jsontext.Str, "a state")
		if p.HasErrors() {
			return
		}
		k, ok := p.m.StateByName(r.By, t.Text)
		if !ok {
			p.Fail(t.Off, "found %s; want a state of %s", text.Quote(t.Text), text.Quote(p.m.Vars[r.By].Name))
		}
		r.States = append(r.States, k)
	})
	p.Need(o, "variable")
	r.Var, _ = p.variableName()
	p.Leave(o)
	return r
}

// asymmetry writes what makes a diagram a decision analysis network.
func (w *writer) asymmetry(a *model.Asymmetry) {
	w.WriteString(",\n  \"asymmetry\": {\n    \"observed\": ")
	w.line(len(a.Observed), func(i int) { w.variableName(a.Observed[i]) })
	w.WriteString(",\n    \"restrictions\": ")
	w.block("    ", len(a.Restrictions), func(i int) {
		r := a.Restrictions[i]
		w.WriteString(`{"parent": `)
		w.variableName(r.Parent)
		w.WriteString(`, "child": `)
		w.variableName(r.Child)
		w.WriteString(`, "allowed": `)
		w.line(len(r.Allowed), func(i int) {
			x := byte('0')
			if r.Allowed[i] {
				x = '1'
			}
			w.WriteByte(x)
		})
		w.WriteByte('}')
	})
	w.WriteString(",\n    \"reveals\": ")
	w.block("    ", len(a.Reveals), func(i int) {
		r := a.Reveals[i]
		w.WriteString(`{"by": `)
		w.variableName(r.By)
		w.WriteString(`, "states": `)
		w.line(len(r.States), func(i int) { w.string(w.m.States(r.By)[r.States[i]]) })
		w.WriteString(`, "variable": `)
		w.variableName(r.Var)
		w.WriteByte('}')
	})
	w.WriteString("\n  }")
}
