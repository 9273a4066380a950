package json

import (
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

type parser struct {
	lexer
	opt    format.ReadOptions
	m      *model.Model
	byName map[string]model.VarID
	states []map[string]int32 // by variable and name; made at the first lookup
}

func read(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := &parser{
		lexer:  newLexer(src.Name, string(src.Data)),
		opt:    opt.WithDefaults(),
		m:      &model.Model{File: src.Name},
		byName: map[string]model.VarID{},
	}
	p.network()
	if p.HasErrors() {
		return nil, p.List
	}
	return p.m, p.List
}

// network reads the whole file. It reads the version first, because a later one may have other
// fields.
func (p *parser) network() {
	o := p.object("{", "pgmc", "kind", "name", "variables", "factors")
	if t := p.next(); t.kind != end {
		p.found(t, "the end of the file")
	}
	p.need(o, "pgmc")
	at := p.peek().off
	found := p.version()
	p.refuse(o)
	p.need(o, "kind")
	p.kind()
	if p.enter(o, "name") {
		p.m.Name = strings.Clone(p.expect(str, "the name of the network").text)
	}
	p.need(o, "variables")
	p.list("a list of variables", p.variable)
	p.states = make([]map[string]int32, len(p.m.Vars))
	p.need(o, "factors")
	p.list("a list of factors", p.factor)
	if p.HasErrors() {
		return
	}
	if want, why := since(p.m); found < want {
		p.fail(at, "found version %d of the format; want %d, since %s", found, want, why)
	}
}

func (p *parser) version() (found int32) {
	at := p.peek().off
	found = p.int("a version of the format")
	switch {
	case found > version:
		p.fail(at, "found version %d of the format; want at most %d: a later pgmc wrote this file", found, version)
	case found < 1:
		p.fail(at, "found version %d of the format; want 1 to %d", found, version)
	}
	return found
}

func (p *parser) kind() {
	t := p.expect(str, "the kind of network")
	i := slices.Index(kinds, t.text)
	if i < 0 {
		p.fail(t.off, "found the kind %s; want one of %q", text.Quote(t.text), kinds)
		return
	}
	p.m.Kind = model.Kind(i)
}

// variable reads a variable. If two have the same name, lookups find the first, and model.Check
// reports both.
func (p *parser) variable() {
	o := p.fields("a variable", "name", "states", "real", "latent", "given")
	p.need(o, "name")
	v := p.m.NewVar(strings.Clone(p.expect(str, "the name of a variable").text)) // a substring would keep the whole file in memory
	v.Pos = p.pos(o.off)
	if _, dup := p.byName[v.Name]; !dup {
		p.byName[v.Name] = v.ID
	}
	if p.enter(o, "real") && p.bool() {
		if v.Domain = (model.Real{}); p.enter(o, "states") {
			p.fail(o.off, "found the variable %s real-valued and with states; want one of them", text.Quote(v.Name))
		}
	} else {
		p.domain(o, v)
	}
	if p.enter(o, "latent") {
		v.Latent = p.bool()
	}
	if p.enter(o, "given") {
		v.Given = p.bool()
	}
	p.leave(o)
}

// domain reads the states of a variable.
func (p *parser) domain(o *object, v *model.Var) {
	var states []string
	p.need(o, "states")
	p.list("a list of states", func() { states = append(states, strings.Clone(p.expect(str, "the name of a state").text)) })
	if len(states) == 0 {
		p.fail(o.off, "found the variable %s without states; want at least one", text.Quote(v.Name))
	}
	v.Domain = model.Discrete{States: states}
}

func (p *parser) bool() bool {
	t := p.next()
	if t.kind != word || t.text != "true" && t.text != "false" {
		p.found(t, "true or false")
	}
	return t.text == "true"
}

// variableName reads the name of a declared variable.
func (p *parser) variableName() (v model.VarID, t token) {
	t = p.expect(str, "the name of a variable")
	v, ok := p.byName[t.text]
	if !ok {
		p.fail(t.off, "found %s; want a variable of the list", text.Quote(t.text))
	}
	return v, t
}

// axis reads the name of a variable of a scope and returns its index in the scope.
func (p *parser) axis(f *model.Factor) int {
	v, t := p.variableName()
	i := slices.Index(f.Scope, v)
	if i < 0 {
		p.fail(t.off, "found %s; want a variable of the scope", text.Quote(t.text))
		return 0
	}
	return i
}

// state reads the name of a state of v.
func (p *parser) state(v model.VarID) int32 {
	t := p.expect(str, "the name of a state")
	if p.HasErrors() {
		return 0
	}
	if p.states[v] == nil {
		p.states[v] = map[string]int32{}
		for i, s := range p.m.States(v) {
			p.states[v][s] = int32(i)
		}
	}
	s, ok := p.states[v][t.text]
	if !ok {
		p.fail(t.off, "found %s; want a state of %s", text.Quote(t.text), text.Quote(p.m.Vars[v].Name))
	}
	return s
}

// factor reads a factor.
func (p *parser) factor() {
	o := p.fields("a factor", append([]string{"scope", "child", "counts"}, kindNames()...)...)
	f := &model.Factor{Child: -1, Pos: p.pos(o.off)}
	p.need(o, "scope")
	seen := map[model.VarID]bool{}
	p.list("a list of variables", func() {
		v, t := p.variableName()
		if seen[v] {
			p.fail(t.off, "found %s; want each variable once", text.Quote(t.text))
		}
		seen[v] = true
		f.Scope = append(f.Scope, v)
	})
	if p.enter(o, "child") {
		f.Child = p.axis(f)
	}
	p.dist(o, f)
	if p.enter(o, "counts") {
		f.Counts, _ = p.numbers()
	}
	p.leave(o)
	p.m.Factors = append(p.m.Factors, f)
}
