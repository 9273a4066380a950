package xmlbif

import (
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/internal/text"
	"github.com/pgmc-go/pgmc/compiler/format/internal/xmltext"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// parser reads the elements, and then makes the factors, since a definition may stand before the variables that it names.
type parser struct {
	diag.List
	dec    *xmltext.Decoder
	opt    format.ReadOptions
	m      *model.Model
	byName map[string]model.VarID
	defs   []*definition
	named  bool // the network has a name
}

// name is the text of an element that names something.
type name struct {
	text string
	pos  diag.Pos
}

// definition is a DEFINITION as it stands in the file.
type definition struct {
	pos     diag.Pos
	child   []name // FOR: want one
	parents []name
	table   bool // there is one
	values  []float64
	offsets []int    // of values
	end     diag.Pos // of the table
}

func read(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := &parser{
		opt:    opt.WithDefaults(),
		m:      &model.Model{Kind: model.Bayes, File: src.Name},
		byName: map[string]model.VarID{},
	}
	p.dec = xmltext.New(src.Name, src.Data, &p.List)
	p.file()
	if p.HasErrors() {
		return nil, p.List // the definitions would only repeat that a variable is missing
	}
	for _, d := range p.defs {
		p.factor(d)
	}
	return p.m, p.List
}

// is reports whether e is called tag, in capitals or not.
func is(e xmltext.Element, tag string) bool { return strings.EqualFold(e.Name, tag) }

// unknown reports an element that has no place where it stands.
func (p *parser) unknown(e xmltext.Element, want string) {
	p.Errorf(e.Pos, "found the element %s; want %s", text.Quote(e.Name), want)
}

// file reads the whole file, a BIF element with one NETWORK in it.
func (p *parser) file() {
	root, ok := p.dec.Root()
	if !ok {
		return
	}
	if !is(root, "BIF") {
		p.unknown(root, "BIF")
		return
	}
	if version, ok := root.Attr("VERSION"); ok && version != "0.3" {
		p.Warnf(root.Pos, "XMLBIF version %s; it is read as 0.3", text.Quote(version))
	}
	networks := 0
	for {
		e, ok := p.dec.Child(root)
		switch {
		case !ok:
			if networks == 0 && !p.dec.Broken() {
				p.Errorf(root.Pos, "found no NETWORK; want one")
			}
			p.dec.End()
			return
		case !is(e, "NETWORK"):
			p.unknown(e, "NETWORK")
		case networks > 0:
			p.Errorf(e.Pos, "found a second NETWORK; want one")
		default:
			p.network(e)
		}
		networks++
	}
}

func (p *parser) network(network xmltext.Element) {
	for {
		e, ok := p.dec.Child(network)
		switch {
		case !ok:
			return
		case is(e, "NAME"):
			if p.named {
				p.Errorf(e.Pos, "found a second NAME of the network; want one")
			}
			p.m.Name, p.named = p.name(e).text, true
		case is(e, "VARIABLE"):
			p.variable(e)
		case is(e, "DEFINITION"):
			p.definition(e)
		case !is(e, "PROPERTY"):
			p.unknown(e, "NAME, PROPERTY, VARIABLE or DEFINITION")
		}
	}
}

// name reads the text of e, whole or not at all.
func (p *parser) name(e xmltext.Element) name {
	s, pos, _ := p.dec.Text(e)
	return name{s, pos}
}

// variable reads a VARIABLE. Of two with one name the first is found by it; model.Check reports them.
func (p *parser) variable(variable xmltext.Element) {
	var names []name
	var states []string
	latent := false
	for {
		e, ok := p.dec.Child(variable)
		if !ok {
			break
		}
		switch {
		case is(e, "NAME"):
			names = append(names, p.name(e))
		case is(e, "OUTCOME"):
			states = append(states, p.name(e).text)
		case is(e, "PROPERTY"):
			key, value, _ := strings.Cut(p.name(e).text, "=")
			latent = latent || strings.TrimSpace(key) == "latent" && strings.TrimSpace(value) == "true"
		default:
			p.unknown(e, "NAME, OUTCOME or PROPERTY")
		}
	}
	if len(names) != 1 {
		p.Errorf(variable.Pos, "found a VARIABLE with %d NAMEs; want one", len(names))
		return
	}
	if kind, ok := variable.Attr("TYPE"); ok && !strings.EqualFold(kind, "nature") {
		p.Errorf(variable.Pos, `variable %s has the type %s; want "nature"`, text.Quote(names[0].text), text.Quote(kind))
		return
	}
	if len(states) == 0 {
		p.Errorf(names[0].pos, "variable %s has no OUTCOME; want at least one", text.Quote(names[0].text))
		return
	}
	v := p.m.NewVar(names[0].text, states...)
	v.Pos, v.Latent = names[0].pos, latent
	if _, dup := p.byName[v.Name]; !dup {
		p.byName[v.Name] = v.ID
	}
}

// definition reads a DEFINITION; what it names is looked up later.
func (p *parser) definition(element xmltext.Element) {
	d := &definition{pos: element.Pos}
	for {
		e, ok := p.dec.Child(element)
		if !ok {
			break
		}
		switch {
		case is(e, "FOR"):
			d.child = append(d.child, p.name(e))
		case is(e, "GIVEN"):
			d.parents = append(d.parents, p.name(e))
		case is(e, "TABLE"):
			p.table(d, e)
		case !is(e, "PROPERTY"):
			p.unknown(e, "FOR, GIVEN, TABLE or PROPERTY")
		}
	}
	switch {
	case len(d.child) > 1:
		p.Errorf(d.child[1].pos, "found a second FOR, %s; want a definition for one variable", text.Quote(d.child[1].text))
	case len(d.child) == 0:
		p.Errorf(d.pos, "found a DEFINITION without FOR; want the variable that it is for")
	case !d.table:
		p.Errorf(d.pos, "CPD of %s has no TABLE; want one", text.Quote(d.child[0].text))
	default:
		p.defs = append(p.defs, d)
	}
}

// table reads the numbers of a TABLE.
func (p *parser) table(d *definition, e xmltext.Element) {
	if d.table {
		p.Errorf(e.Pos, "found a second TABLE; want one")
		return
	}
	d.table = true
	end, _ := p.dec.Words(e, func(word string, off int) bool {
		x, ok := text.Number(word)
		if !ok {
			p.Errorf(p.dec.Pos(off), "found %s; want a number", text.Quote(word))
			return false
		}
		d.values, d.offsets = append(d.values, x), append(d.offsets, off)
		return true
	})
	d.end = p.dec.Pos(end)
}

// factor makes the CPD of a definition.
func (p *parser) factor(d *definition) {
	f := &model.Factor{Pos: d.pos, Child: len(d.parents)}
	seen := map[model.VarID]bool{}
	for _, n := range append(d.parents, d.child...) {
		v, ok := p.byName[n.text]
		switch {
		case !ok:
			p.Errorf(n.pos, "found %s; want a variable that is declared", text.Quote(n.text))
			return
		case seen[v]:
			p.Errorf(n.pos, "found %s; want each variable once", text.Quote(n.text))
			return
		}
		seen[v] = true
		f.Scope = append(f.Scope, v)
	}
	if !p.complete(d, f) {
		return
	}
	f.Dist = &model.Table{Values: d.values}
	for i := 0; i < len(d.offsets); i += p.m.Card(f.ChildVar()) {
		f.RowPos = append(f.RowPos, p.dec.Pos(d.offsets[i]))
	}
	p.m.Factors = append(p.m.Factors, f)
}

// complete checks that d has as many numbers as its variables have joint states.
func (p *parser) complete(d *definition, f *model.Factor) bool {
	n, ok := p.m.TableSize(f.Scope)
	got, child := len(d.values), text.Quote(d.child[0].text)
	const want = "want %d, one a joint state of the parents and %s"
	switch {
	case !ok || n > p.opt.MaxEntries:
		p.Errorf(d.pos, "CPD of %s would have %.3g numbers; the limit is %d", child, math.Exp(p.m.LogTableSize(f.Scope)), p.opt.MaxEntries)
	case got > n:
		p.Errorf(p.dec.Pos(d.offsets[n]), "found %d numbers; "+want, got, n, child)
	case got < n:
		p.Errorf(d.end, "found %d numbers; "+want, got, n, child)
	default:
		return true
	}
	return false
}
