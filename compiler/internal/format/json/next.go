package json

import (
	"bytes"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/jsontext"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// next reads the transition. While it reads, the parser's model is that of a step.
func (p *parser) next() {
	if p.HasErrors() {
		return
	}
	o := p.Fields("a transition", "factors", "tied", "decisions", "utilities", "sequences", "time", "step")
	p.Need(o, "factors")
	m, t := p.m, &model.Transition{}
	if m.Diagram == nil && (p.Enter(o, "decisions") || p.Enter(o, "utilities")) {
		m.Diagram = &model.Diagram{}
	}
	m.Transition, p.before = t, map[model.VarID]model.VarID{}
	p.m = m.Step()
	p.states = append(p.states, make([]map[string]int32, len(m.Vars))...)
	p.Array("a list of factors", p.factor)
	if p.Enter(o, "tied") {
		p.tied()
	}
	p.diagram(o)
	if d := p.m.Diagram; d != nil {
		t.Decisions, t.Utilities = d.Decisions, d.Utilities
	}
	p.shift()
	t.Factors, t.Tied = p.m.Factors, p.m.Tied
	for v := len(m.Vars); v < len(p.m.Vars); v++ {
		t.Before = append(t.Before, p.origin[v-len(m.Vars)])
	}
	p.m, p.before = m, nil
	for _, x := range memory(t) {
		if p.Enter(o, x.name) {
			*x.text = strings.Clone(p.Expect(jsontext.Str, x.what).Text)
		}
	}
	p.Leave(o)
}

// remembered is a text about the rows that a model was learned from.
type remembered struct {
	name string // of its field
	what string // it is
	text *string
}

// memory lists what a transition remembers.
func memory(t *model.Transition) []remembered {
	return []remembered{
		{"sequences", "the name of a column of data", &t.SequenceColumn},
		{"time", "the name of a column of data", &t.TimeColumn},
		{"step", "the time from one slice to the next", &t.Step},
	}
}

// nameBefore reads ["x", k], the variable x k slices ago. In slice 0 it is a copy of x, and in the
// transition a variable of the slice before: x itself, or its copy of k-1 slices ago.
func (p *parser) nameBefore() (v model.VarID, t jsontext.Token) {
	t = p.Peek()
	n, ago, name := 0, int32(0), ""
	p.Array("a variable and a number of slices", func() {
		switch n++; n {
		case 1:
			at := p.Expect(jsontext.Str, "the name of a variable")
			known := false
			if v, known = p.byName[at.Text]; !known {
				p.Fail(at.Off, "found %s; want a variable of the list", text.Quote(at.Text))
			}
			name = at.Text
		case 2:
			at := p.Peek().Off
			if ago = p.Int("a number of slices"); ago < 1 || ago > maxAgo {
				p.Fail(at, "found a variable %d slices ago; want 1 to %d", ago, maxAgo)
			}
		}
	})
	if n != 2 {
		p.Fail(t.Off, "found a list of %d; want a variable and a number of slices", n)
	}
	if p.HasErrors() {
		return 0, t
	}
	if p.before == nil {
		return p.copyOf(v, int(ago), t.Off), t
	}
	if ago > 1 {
		c, known := p.copies[lag{v, int(ago) - 1}]
		if !known {
			p.Fail(t.Off, "found %s %d slices ago; want a CPD of it %d slices ago among the factors of slice 0", text.Quote(name), ago, ago-1)
			return 0, t
		}
		v = c
	}
	b, known := p.before[v]
	if !known {
		b = p.keep(v)
	}
	return b, t
}

// keep adds the variable of the slice before that v has, and returns it. A variable in plates has
// one for each joint index.
func (p *parser) keep(v model.VarID) model.VarID {
	list := p.plates.vars[v]
	first := model.VarID(len(p.m.Vars))
	for k := range p.repeats(list) {
		from := p.m.Vars[v+model.VarID(k)]
		w := p.m.NewVar(model.NameBefore(from.Name))
		w.Domain, w.Given, w.Pos = from.Domain, true, from.Pos
		p.origin = append(p.origin, from.ID)
	}
	p.before[v] = first
	if list != nil {
		p.plates.vars[first] = list
	}
	return first
}

// writeNext writes the transition. While it writes, the writer's model is that of a step.
func (w *writer) writeNext() {
	t := w.m.Transition
	outer, slice := w.Buffer, w.m
	w.Buffer, w.m, w.before = &bytes.Buffer{}, slice.Step(), t.Before
	w.WriteString("\n  \"factors\": ")
	w.block("  ", len(t.Factors), func(i int) { w.factor(t.Factors[i]) })
	if len(t.Tied) > 0 {
		w.tied()
	}
	if d := w.m.Diagram; d != nil && len(d.Decisions)+len(d.Utilities) > 0 {
		w.writeChoices(d)
	}
	for _, x := range memory(t) {
		if *x.text != "" {
			w.WriteString(",\n  \"" + x.name + "\": ")
			w.string(*x.text)
		}
	}
	inner := w.Bytes()
	w.Buffer, w.m, w.before = outer, slice, nil
	w.WriteString(",\n  \"next\": {")
	w.Write(bytes.ReplaceAll(inner, []byte("\n"), []byte("\n  ")))
	w.WriteString("\n  }")
}
