package json

import (
	"slices"
	"strings"
	"unicode"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/jsontext"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

type parser struct {
	jsontext.Lexer
	opt    format.ReadOptions
	m      *model.Model
	byName map[string]model.VarID
	states []map[string]int32 // by variable and name; made at the first lookup
	plates plates
	maps   []*model.Map
	before map[model.VarID]model.VarID // in a transition: by variable, that of the slice before; otherwise nil
	origin []model.VarID               // of each variable of the slice before
	copies map[lag]model.VarID         // in slice 0: the first variable that holds another some slices ago
	copied []lag                       // the keys of copies, in order
	ago    int                         // the offset of the first copy
}

func read(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := &parser{
		Lexer:  jsontext.New(src.Name, string(src.Data)),
		opt:    opt.WithDefaults(),
		m:      &model.Model{File: src.Name},
		byName: map[string]model.VarID{},
		plates: plates{vars: map[model.VarID][]int{}},
		copies: map[lag]model.VarID{},
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
	o := p.Object("{", "pgmc", "kind", "name", "description", "variables", "factors", "tied", "plates", "maps", "next", "decisions", "utilities", "criteria", "asymmetry", "horizon")
	if t := p.Next(); t.Kind != jsontext.End {
		p.Found(t, "the end of the file")
	}
	p.Need(o, "pgmc")
	at := p.Peek().Off
	found := p.version()
	p.Refuse(o)
	p.Need(o, "kind")
	p.kind()
	if p.Enter(o, "name") {
		p.m.Name = strings.Clone(p.Expect(jsontext.Str, "the name of the network").Text)
	}
	if p.Enter(o, "description") {
		p.m.Description = p.description()
	}
	if p.Enter(o, "plates") {
		if p.readPlates(); found < 2 {
			p.Fail(at, "found version %d of the format; want 2, since there are plates", found)
		}
	}
	p.skeleton()
	p.Need(o, "variables")
	p.Array("a list of variables", p.variable)
	p.attributes()
	p.states = make([]map[string]int32, len(p.m.Vars))
	if p.Enter(o, "maps") {
		p.Array("a list of maps", p.gridMap)
	}
	p.Need(o, "factors")
	p.Array("a list of factors", p.factor)
	if p.Enter(o, "tied") {
		p.tied()
	}
	p.diagram(o)
	if p.Enter(o, "next") {
		p.next()
	} else if len(p.copied) > 0 {
		p.Fail(p.ago, "found a variable some slices ago in a network without \"next\"; want one, or only variables of the list")
	} else if p.m.Diagram != nil && p.Enter(o, "horizon") {
		p.Warnf(p.Pos(p.Off), "the horizon counts only in sequences, and there is no \"next\"")
	}
	if p.HasErrors() {
		return
	}
	if want, why := since(p.m); found < want {
		p.Fail(at, "found version %d of the format; want %d, since %s", found, want, why)
	}
}

func (p *parser) version() (found int32) {
	at := p.Peek().Off
	found = p.Int("a version of the format")
	switch {
	case found > version:
		p.Fail(at, "found version %d of the format; want at most %d: a later pgmc wrote this file", found, version)
	case found < 1:
		p.Fail(at, "found version %d of the format; want 1 to %d", found, version)
	}
	return found
}

func (p *parser) kind() {
	t := p.Expect(jsontext.Str, "the kind of network")
	i := slices.Index(kinds, t.Text)
	if i < 0 {
		p.Fail(t.Off, "found the kind %s; want one of %q", text.Quote(t.Text), kinds)
		return
	}
	p.m.Kind = model.Kind(i)
}

// variable reads a variable. If two have the same name, lookups find the first, and model.Check
// reports both.
func (p *parser) variable() {
	o := p.Fields("a variable", "name", "description", "states", "real", "period", "latent", "given", "in")
	p.Need(o, "name")
	v := p.m.NewVar(strings.Clone(p.Expect(jsontext.Str, "the name of a variable").Text)) // a substring would keep the whole file in memory
	v.Pos = p.Pos(o.Off)
	if _, dup := p.byName[v.Name]; !dup {
		p.byName[v.Name] = v.ID
	}
	if p.Enter(o, "description") {
		v.Description = p.description()
	}
	if p.Enter(o, "real") && p.bool() {
		if v.Domain = (model.Real{}); p.Enter(o, "states") {
			p.Fail(o.Off, "found the variable %s real-valued and with states; want one of them", text.Quote(v.Name))
		}
		p.period(o, v)
	} else {
		p.domain(o, v)
		if p.Enter(o, "period") {
			p.Fail(o.Off, "found the period of %s, which has states; want a real variable", text.Quote(v.Name))
		}
	}
	if p.Enter(o, "latent") {
		v.Latent = p.bool()
	}
	if p.Enter(o, "given") {
		v.Given = p.bool()
	}
	list, n := p.in(o)
	p.repeat(v, list, n, o.Off)
	p.Leave(o)
}

// description reads text for readers. Line ends and control characters in it become blanks.
func (p *parser) description() string {
	return strings.Join(strings.FieldsFunc(p.Expect(jsontext.Str, "a description").Text, unicode.IsControl), " ")
}

// period reads the period of a real variable, if it has one.
func (p *parser) period(o *jsontext.Object, v *model.Var) {
	if !p.Enter(o, "period") {
		return
	}
	period, at := p.Float()
	if !(period > 0) {
		p.Fail(at, "found the period %v of %s; want a number above 0, such as 360", period, text.Quote(v.Name))
	}
	v.Domain = model.Real{Period: period}
}

// domain reads the states of a variable.
func (p *parser) domain(o *jsontext.Object, v *model.Var) {
	var states []string
	p.Need(o, "states")
	p.Array("a list of states", func() { states = append(states, strings.Clone(p.Expect(jsontext.Str, "the name of a state").Text)) })
	if len(states) == 0 {
		p.Fail(o.Off, "found the variable %s without states; want at least one", text.Quote(v.Name))
	}
	v.Domain = model.Discrete{States: states}
}

func (p *parser) bool() bool {
	t := p.Next()
	if t.Kind != jsontext.Word || t.Text != "true" && t.Text != "false" {
		p.Found(t, "true or false")
	}
	return t.Text == "true"
}

// variableName reads the name of a declared variable, or a list for one some slices ago.
func (p *parser) variableName() (v model.VarID, t jsontext.Token) {
	if p.Peek().Kind == '[' {
		return p.nameBefore()
	}
	t = p.Expect(jsontext.Str, "the name of a variable")
	v, ok := p.byName[t.Text]
	if !ok {
		p.Fail(t.Off, "found %s; want a variable of the list", text.Quote(t.Text))
	}
	return v, t
}

// axis reads the name of a variable of a scope and returns its index in the scope.
func (p *parser) axis(f *model.Factor) int {
	v, t := p.variableName()
	i := slices.Index(f.Scope, v)
	if i < 0 {
		p.Fail(t.Off, "found %s; want a variable of the scope", text.Quote(t.Text))
		return 0
	}
	return i
}

// state reads the name of a state of v.
func (p *parser) state(v model.VarID) int32 {
	t := p.Expect(jsontext.Str, "the name of a state")
	if p.HasErrors() {
		return 0
	}
	if p.states[v] == nil {
		p.states[v] = map[string]int32{}
		for i, s := range p.m.States(v) {
			p.states[v][s] = int32(i)
		}
	}
	s, ok := p.states[v][t.Text]
	if !ok {
		p.Fail(t.Off, "found %s; want a state of %s", text.Quote(t.Text), text.Quote(p.m.Vars[v].Name))
	}
	return s
}

// factor reads a factor.
func (p *parser) factor() {
	o := p.Fields("a factor", append([]string{"scope", "child", "counts", "in", "tied"}, kindNames()...)...)
	f := &model.Factor{Child: -1, Pos: p.Pos(o.Off)}
	p.Need(o, "scope")
	seen := map[model.VarID]bool{}
	p.Array("a list of variables", func() {
		v, t := p.variableName()
		if seen[v] {
			p.Fail(t.Off, "found %s; want each variable once", text.Quote(t.Text))
		}
		seen[v] = true
		f.Scope = append(f.Scope, v)
	})
	if p.Enter(o, "child") {
		f.Child = p.axis(f)
	}
	p.dist(o, f)
	if p.Enter(o, "counts") {
		f.Counts, _ = p.numbers()
	}
	list, n := p.in(o)
	p.ground(f, list, p.apart(o, list), n, o.Off)
	p.Leave(o)
}
