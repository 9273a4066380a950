package json

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/jsontext"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// diagram reads decisions, utilities and their criteria, if there are some. A transition has no
// more.
func (p *parser) diagram(o *jsontext.Object) {
	parts := []struct {
		field string
		read  func()
	}{{"decisions", p.decisions}, {"utilities", p.utilities}, {"criteria", p.criteria}, {"asymmetry", p.asymmetry}, {"horizon", p.horizon}}
	if p.before != nil {
		parts = parts[:2]
	}
	for _, part := range parts {
		if p.Enter(o, part.field) {
			if p.m.Diagram == nil {
				p.m.Diagram = &model.Diagram{}
			}
			part.read()
		}
	}
}

// horizon reads the number of slices of a sequence.
func (p *parser) horizon() {
	at := p.Peek().Off
	n := p.Int("a number of slices")
	if n < 1 {
		p.Fail(at, "found a horizon of %d slices; want 1 or more", n)
	}
	p.m.Diagram.Horizon = int(n)
}

// decisions reads the known variables of each decision.
func (p *parser) decisions() {
	p.Array("a list of decisions", func() {
		o := p.Fields("a decision", "variable", "knows", "once")
		d := &model.Decision{Pos: p.Pos(o.Off)}
		p.Need(o, "variable")
		d.Var, _ = p.variableName()
		if p.Enter(o, "knows") {
			p.Array("a list of variables", func() {
				v, _ := p.variableName()
				d.Known = append(d.Known, v)
			})
		}
		if p.Enter(o, "once") {
			d.Once = p.bool()
		}
		p.Leave(o)
		p.m.Diagram.Decisions = append(p.m.Diagram.Decisions, d)
	})
}

// utilities reads the utilities, and then their functions, which may name later ones.
func (p *parser) utilities() {
	var functions []func(model.FuncNames)
	p.Array("a list of utilities", func() {
		o := p.Fields("a utility", "name", "scope", "table", "function", "criterion")
		u := &model.Utility{Pos: p.Pos(o.Off)}
		p.Need(o, "name")
		u.Name = strings.Clone(p.Expect(jsontext.Str, "the name of a utility").Text)
		p.m.Diagram.Utilities = append(p.m.Diagram.Utilities, u)
		if p.Enter(o, "criterion") {
			u.Criterion = strings.Clone(p.Expect(jsontext.Str, "the name of a criterion").Text)
		}
		if p.Enter(o, "function") {
			if p.Enter(o, "scope") || p.Enter(o, "table") {
				p.Fail(o.Off, "found the utility %s with a function and a table; want one of them", text.Quote(u.Name))
			}
			p.Enter(o, "function")
			t := p.Expect(jsontext.Str, "an expression of utilities")
			functions = append(functions, func(names model.FuncNames) { p.utilityFunction(u, t, names) })
			p.Leave(o)
			return
		}
		p.Need(o, "scope")
		p.Array("a list of variables", func() {
			v, _ := p.variableName()
			u.Scope = append(u.Scope, v)
		})
		p.Need(o, "table")
		u.Values, _ = p.numbers()
		p.Leave(o)
	})
	names := p.m.Diagram.FunctionNames()
	for _, read := range functions {
		read(names)
	}
}

// criteria reads what utilities measure.
func (p *parser) criteria() {
	p.Array("a list of criteria", func() {
		o := p.Fields("a criterion", "name", "unit", "scale", "cost", "effect", "discount")
		c := &model.Criterion{Scale: math.NaN(), Discount: 1, Pos: p.Pos(o.Off)}
		p.Need(o, "name")
		c.Name = strings.Clone(p.Expect(jsontext.Str, "the name of a criterion").Text)
		if p.Enter(o, "unit") {
			c.Unit = strings.Clone(p.Expect(jsontext.Str, "a unit").Text)
		}
		for _, x := range []struct {
			field string
			to    *float64
		}{{"scale", &c.Scale}, {"cost", &c.Cost}, {"effect", &c.Effect}, {"discount", &c.Discount}} {
			if p.Enter(o, x.field) {
				*x.to, _ = p.Float()
			}
		}
		p.Leave(o)
		p.m.Diagram.Criteria = append(p.m.Diagram.Criteria, c)
	})
}

// utilityFunction reads the function of a utility.
func (p *parser) utilityFunction(u *model.Utility, t jsontext.Token, names model.FuncNames) {
	if p.HasErrors() {
		return
	}
	nodes, err := model.ParseFunc(t.Text, names)
	var where *model.FuncError
	if errors.As(err, &where) {
		p.Fail(t.Off, "in the function of %s, %v", text.Quote(u.Name), where)
	}
	u.Function = &model.Func{Nodes: nodes}
}

// writeDiagram writes decisions, utilities and what is common to all slices.
func (w *writer) writeDiagram() {
	d := w.m.Diagram
	w.writeChoices(d)
	if len(d.Criteria) > 0 {
		w.WriteString(",\n  \"criteria\": ")
		w.block("  ", len(d.Criteria), func(i int) { w.criterion(d.Criteria[i]) })
	}
	if d.Asymmetry != nil {
		w.asymmetry(d.Asymmetry)
	}
	if d.Horizon > 0 {
		fmt.Fprintf(w, ",\n  \"horizon\": %d", d.Horizon)
	}
}

// writeChoices writes the decisions and utilities of a slice.
func (w *writer) writeChoices(d *model.Diagram) {
	w.WriteString(",\n  \"decisions\": ")
	w.block("  ", len(d.Decisions), func(i int) {
		x := d.Decisions[i]
		w.WriteString(`{"variable": `)
		w.variableName(x.Var)
		w.WriteString(`, "knows": `)
		w.line(len(x.Known), func(k int) { w.variableName(x.Known[k]) })
		if x.Once {
			w.WriteString(`, "once": true`)
		}
		w.WriteByte('}')
	})
	w.WriteString(",\n  \"utilities\": ")
	w.block("  ", len(d.Utilities), func(i int) {
		u := d.Utilities[i]
		w.WriteString("{\n" + inFactor + `"name": `)
		w.string(u.Name)
		if u.Criterion != "" {
			w.WriteString(",\n" + inFactor + `"criterion": `)
			w.string(u.Criterion)
		}
		if u.Function != nil {
			w.WriteString(",\n" + inFactor + `"function": `)
			text, err := d.FunctionText(u)
			if err != nil {
				w.err = err
			}
			w.string(text)
			w.WriteString("\n    }")
			return
		}
		w.WriteString(",\n" + inFactor + `"scope": `)
		w.line(len(u.Scope), func(k int) { w.variableName(u.Scope[k]) })
		w.WriteString(",\n" + inFactor + `"table": `)
		w.rows(inFactor, u.Values, w.lastCard(u.Scope))
		w.WriteString("\n    }")
	})
}

// criterion writes what utilities measure. A scale that is none is left out.
func (w *writer) criterion(c *model.Criterion) {
	w.WriteString(`{"name": `)
	w.string(c.Name)
	if c.Unit != "" {
		w.WriteString(`, "unit": `)
		w.string(c.Unit)
	}
	if !math.IsNaN(c.Scale) {
		w.WriteString(`, "scale": `)
		w.float(c.Scale)
	}
	if c.Cost != 0 {
		w.WriteString(`, "cost": `)
		w.float(c.Cost)
	}
	if c.Effect != 0 {
		w.WriteString(`, "effect": `)
		w.float(c.Effect)
	}
	if c.Discount != 1 {
		w.WriteString(`, "discount": `)
		w.float(c.Discount)
	}
	w.WriteByte('}')
}
