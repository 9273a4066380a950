package xmlbif

import (
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/cpt"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/xmltext"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// parser reads the elements and then builds the factors, because a definition may precede the
// variables that it names.
type parser struct {
	diag.List
	dec       *xmltext.Decoder
	opt       format.ReadOptions
	m         *model.Model
	byName    map[string]model.VarID
	kinds     map[string]string // of variables that are not of nature, by name
	tables    []*definition
	utilities []cpt.Name
	named     bool // the network has a name

	unnamed int // states without names that the file may still have
}

// The types of variables besides nature.
const (
	decision = "decision"
	utility  = "utility"
)

// definition is a DEFINITION as the file gives it.
type definition struct {
	cpt.Table
	children []cpt.Name // from FOR: one is valid
	given    bool       // there is a TABLE
}

func read(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := &parser{
		opt:    opt.WithDefaults(),
		m:      &model.Model{Kind: model.Bayes, File: src.Name},
		byName: map[string]model.VarID{},
		kinds:  map[string]string{},

		unnamed: model.MaxStates + len(src.Data),
	}
	p.dec = xmltext.New(src.Name, src.Data, &p.List)
	p.file()
	if p.HasErrors() {
		return nil, p.List // the definitions would only repeat that a variable is missing
	}
	file := cpt.File{Model: p.m, Names: p.byName, Pos: p.dec.Pos, ReadOptions: p.opt, List: &p.List}
	for _, d := range p.tables {
		switch kind := p.kinds[d.Child.Text]; {
		case kind == decision && d.given:
			p.Errorf(d.Pos, "decision %s has a TABLE; want none, since it is chosen", text.Quote(d.Child.Text))
		case kind == decision:
			file.Decision(&d.Table)
		case !d.given:
			p.Errorf(d.Pos, "CPD of %s has no TABLE; want one", text.Quote(d.Child.Text))
		case kind == utility:
			file.Utility(&d.Table)
		default:
			if f, ok := file.Factor(&d.Table); ok {
				p.m.Factors = append(p.m.Factors, f)
			}
		}
	}
	p.withoutDefinition(&file)
	return p.m, p.List
}

// withoutDefinition adds the decisions that no definition is for, which know nothing, and reports
// such utilities.
func (p *parser) withoutDefinition(file *cpt.File) {
	for _, u := range p.utilities {
		if !slices.ContainsFunc(p.tables, func(d *definition) bool { return d.Child.Text == u.Text }) {
			p.Errorf(u.Pos, "utility %s has no DEFINITION; want one", text.Quote(u.Text))
		}
	}
	for _, v := range p.m.Vars {
		if v.Given && p.m.Decides(v.ID) == nil && !p.HasErrors() {
			file.Decision(&cpt.Table{Pos: v.Pos, Child: cpt.Name{Text: v.Name, Pos: v.Pos}})
		}
	}
}

// is reports whether e is called tag, in upper or lower case.
func is(e xmltext.Element, tag string) bool { return strings.EqualFold(e.Name, tag) }

// unknown reports an element that is not allowed here.
func (p *parser) unknown(e xmltext.Element, want string) {
	p.Errorf(e.Pos, "found the element %s; want %s", text.Quote(e.Name), want)
}

// file reads the whole file, a BIF element that contains one NETWORK.
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
			p.m.Name, p.named = p.name(e).Text, true
		case is(e, "VARIABLE"):
			p.variable(e)
		case is(e, "DEFINITION"):
			p.definition(e)
		case !is(e, "PROPERTY"):
			p.unknown(e, "NAME, PROPERTY, VARIABLE or DEFINITION")
		}
	}
}

// name reads the text of e as a name.
func (p *parser) name(e xmltext.Element) cpt.Name {
	s, pos, _ := p.dec.Text(e)
	return cpt.Name{Text: s, Pos: pos}
}

// variable reads a VARIABLE. If two have the same name, lookups find the first, and model.Check
// reports both.
func (p *parser) variable(variable xmltext.Element) {
	names, states, fast, latent := p.parts(variable)
	if p.dec.Broken() {
		return
	}
	if len(names) != 1 {
		p.Errorf(variable.Pos, "found a VARIABLE with %d NAMEs; want one", len(names))
		return
	}
	kind, _ := variable.Attr("TYPE")
	switch kind = strings.ToLower(kind); kind {
	case decision:
		p.kinds[names[0].Text] = kind
	case utility: // its OUTCOME, if any, means nothing
		p.kinds[names[0].Text] = kind
		p.utilities = append(p.utilities, names[0])
		return
	case "", "nature":
	default:
		p.Errorf(variable.Pos, `variable %s has the type %s; want "nature", "decision" or "utility"`, text.Quote(names[0].Text), text.Quote(kind))
		return
	}
	if states = p.states(names[0], states, fast); states == nil {
		return
	}
	v := p.m.NewVar(names[0].Text, states...)
	v.Pos, v.Latent, v.Given = names[0].Pos, latent, kind == decision
	if _, dup := p.byName[v.Name]; !dup {
		p.byName[v.Name] = v.ID
	}
}

// parts reads the contents of a VARIABLE: its names, its states, the property fast, which gives
// states in aGrUM's short form, and whether the property latent is true.
func (p *parser) parts(variable xmltext.Element) (names []cpt.Name, states []string, fast cpt.Name, latent bool) {
	for {
		e, ok := p.dec.Child(variable)
		if !ok {
			return names, states, fast, latent
		}
		switch {
		case is(e, "NAME"):
			names = append(names, p.name(e))
		case is(e, "OUTCOME"):
			states = append(states, p.name(e).Text)
		case is(e, "PROPERTY"):
			property := p.name(e)
			key, value, _ := strings.Cut(property.Text, "=")
			switch strings.TrimSpace(key) {
			case "latent":
				latent = latent || strings.TrimSpace(value) == "true"
			case "fast":
				fast = cpt.Name{Text: value, Pos: property.Pos}
			}
		default:
			p.unknown(e, "NAME, OUTCOME or PROPERTY")
		}
	}
}

// states returns the states of the variable with the given name: its outcomes, or those of the
// short form. Without any it reports an error and returns nil.
func (p *parser) states(name cpt.Name, outcomes []string, fast cpt.Name) []string {
	if len(outcomes) > 0 {
		return outcomes
	}
	if fast.Text == "" {
		p.Errorf(name.Pos, "variable %s has no OUTCOME; want at least one", text.Quote(name.Text))
		return nil
	}
	states, ok := fastStates(fast.Text, p.unnamed)
	if !ok || len(states) == 0 {
		p.Errorf(fast.Pos, "found the variable %s; want states as in A[2,5], A[1,1.5,2] or A{yes|no}", text.Quote(strings.TrimSpace(fast.Text)))
		return nil
	}
	p.unnamed -= len(states)
	return states
}

// definition reads a DEFINITION. The names that it refers to are looked up later.
func (p *parser) definition(element xmltext.Element) {
	d := &definition{}
	d.Pos = element.Pos
	for {
		e, ok := p.dec.Child(element)
		if !ok {
			break
		}
		switch {
		case is(e, "FOR"):
			d.children = append(d.children, p.name(e))
		case is(e, "GIVEN"):
			d.Parents = append(d.Parents, p.name(e))
		case is(e, "TABLE"):
			p.table(d, e)
		case !is(e, "PROPERTY"):
			p.unknown(e, "FOR, GIVEN, TABLE or PROPERTY")
		}
	}
	switch {
	case p.dec.Broken():
	case len(d.children) > 1:
		p.Errorf(d.children[1].Pos, "found a second FOR, %s; want a definition for one variable", text.Quote(d.children[1].Text))
	case len(d.children) == 0:
		p.Errorf(d.Pos, "found a DEFINITION without FOR; want the variable that it is for")
	default:
		d.Child = d.children[0]
		p.tables = append(p.tables, d)
	}
}

// table reads the numbers of a TABLE.
func (p *parser) table(d *definition, e xmltext.Element) {
	if d.given {
		p.Errorf(e.Pos, "found a second TABLE; want one")
		return
	}
	d.given = true
	end, _ := p.dec.Words(e, func(word string, off int) bool {
		x, err := text.Entry(word)
		if err != nil {
			p.Errorf(p.dec.Pos(off), "found %s; want %v", text.Quote(word), err)
			return false
		}
		if len(d.Values) == p.opt.MaxEntries {
			p.Errorf(p.dec.Pos(off), "found %s; want at most %d numbers", text.Quote(word), p.opt.MaxEntries)
			return false
		}
		d.Values, d.Offsets = append(d.Values, x), append(d.Offsets, off)
		return true
	})
	d.End = p.dec.Pos(end)
}
