package probmodelxml

import (
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/xmltext"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// timeless is the slice of a variable without one.
const timeless = -1

// id names a variable of a slice.
type id struct {
	name  string
	slice int
}

// ref is a reference to a variable.
type ref struct {
	id
	pos diag.Pos
}

// variable is a variable of a slice as the file declares it.
type variable struct {
	ref
	kind, role string
	states     []string
	bounds     []cut  // thresholds of its values
	criterion  string // of a utility
	observed   bool   // always
}

// link is a link between two variables.
type link struct {
	from, to    id
	pos         diag.Pos
	restriction *potential // nil for none
	reveals     []string   // the states of the first one that reveal the second
}

// parser reads the file.
type parser struct {
	diag.List
	dec        *xmltext.Decoder
	file, name string
	most       int // numbers in a list
	vars       []*variable
	potentials []*potential
	kind       string // the type of the network
	links      []link
	options    options // of criteria
	time       timing
	findings   bool
}

func read(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := &parser{file: src.Name, most: opt.WithDefaults().MaxEntries, options: newOptions(), time: newTiming()}
	p.dec = xmltext.New(src.Name, src.Data, &p.List)
	p.document()
	if p.HasErrors() {
		return nil, p.List
	}
	m := p.network()
	if p.HasErrors() {
		return nil, p.List
	}
	return m, p.List
}

// children calls do with each child of e.
func (p *parser) children(e xmltext.Element, do func(xmltext.Element)) {
	for child, ok := p.dec.Child(e); ok; child, ok = p.dec.Child(e) {
		do(child)
	}
}

// document reads the whole file.
func (p *parser) document() {
	root, ok := p.dec.Root()
	if !ok {
		return
	}
	if root.Name != "ProbModelXML" {
		p.Errorf(root.Pos, `found the element %s; want "ProbModelXML"`, text.Quote(root.Name))
		return
	}
	networks := 0
	p.children(root, func(e xmltext.Element) {
		switch e.Name {
		case "ProbNet":
			if networks++; networks > 1 {
				p.Errorf(e.Pos, `found a second "ProbNet"; want one`)
			}
			p.probNet(e)
		case "Policies":
			p.children(e, p.topPotential)
		case "InferenceOptions":
			p.children(e, p.inference)
		case "Evidence":
			p.children(e, func(c xmltext.Element) {
				p.children(c, func(f xmltext.Element) { p.findings = p.findings || f.Name == "Finding" })
			})
		}
	})
	if networks == 0 && !p.dec.Broken() {
		p.Errorf(root.Pos, `found no "ProbNet"; want a network`)
	}
	p.dec.End()
}

// probNet reads the network.
func (p *parser) probNet(net xmltext.Element) {
	kind, _ := net.Attr("type")
	switch kind = strings.TrimSpace(kind); kind {
	case "MarkovNetwork", "ChainGraph":
		p.Errorf(net.Pos, "found a network of the type %s; want one with directed links alone", text.Quote(kind))
		return
	}
	p.kind = kind
	p.name, _ = net.Attr("name")
	p.children(net, func(e xmltext.Element) {
		switch e.Name {
		case "DecisionCriteria":
			p.within(e, "Criterion", func(c xmltext.Element) {
				name, _ := c.Attr("name")
				if unit, _ := c.Attr("unit"); strings.Trim(unit, "- ") != "" {
					p.options.units[strings.TrimSpace(name)] = unit
				}
			})
		case "Variables":
			p.children(e, p.variable)
		case "Links":
			p.children(e, p.link)
		case "Potentials":
			p.children(e, p.topPotential)
		case "TimeUnit", "CycleLength":
			p.cycle(e)
		}
	})
}

// ref returns the variable that an element refers to, or declares.
func (p *parser) ref(e xmltext.Element) ref {
	name, _ := e.Attr("name")
	r := ref{id: id{strings.TrimSpace(name), timeless}, pos: e.Pos}
	if before, last, ok := cutLast(r.name, " ["); ok && strings.HasSuffix(last, "]") {
		if t, err := strconv.Atoi(strings.TrimSuffix(last, "]")); err == nil {
			r.name, r.slice = strings.TrimSpace(before), t
		}
	}
	if slice, ok := e.Attr("timeSlice"); ok {
		t, err := strconv.Atoi(slice)
		if err != nil || r.slice != timeless && r.slice != t {
			p.Errorf(e.Pos, "found the slice %s of %s; want a number, that of the name", text.Quote(slice), text.Quote(name))
		}
		r.slice = t
	}
	if r.name == "" {
		p.Errorf(e.Pos, "found a variable without a name; want one")
	}
	if r.slice < timeless || r.slice > 1 {
		p.Errorf(e.Pos, "found %s in slice %d; want 0 or 1", text.Quote(r.name), r.slice)
	}
	return r
}

// cutLast cuts s around the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// variable reads the declaration of a variable.
func (p *parser) variable(e xmltext.Element) {
	if e.Name != "Variable" {
		p.Errorf(e.Pos, `found the element %s; want "Variable"`, text.Quote(e.Name))
		return
	}
	v := &variable{ref: p.ref(e)}
	v.kind, _ = e.Attr("type")
	v.role, _ = e.Attr("role")
	p.children(e, func(child xmltext.Element) {
		switch child.Name {
		case "States":
			v.states = p.stateNames(child)
		case "Thresholds":
			v.bounds = p.thresholds(child)
		case "Criterion":
			v.criterion, _ = child.Attr("name")
		case "AlwaysObserved":
			v.observed = true
		case "AdditionalProperties":
			p.within(child, "Property", func(e xmltext.Element) { p.purpose(v, e) })
		}
	})
	switch {
	case v.role != "chance" && v.role != "decision" && v.role != "utility":
		p.Errorf(v.pos, "variable %s has the role %s; want chance, decision or utility", text.Quote(v.name), text.Quote(v.role))
	case v.role == "utility":
	case v.kind != "finiteStates" && v.kind != "discretized" && v.kind != "numeric":
		p.Errorf(v.pos, "variable %s is of the type %s; want finiteStates, discretized or numeric", text.Quote(v.name), text.Quote(v.kind))
	case v.kind != "numeric" && len(v.states) == 0:
		p.Errorf(v.pos, "variable %s has no states; want at least one", text.Quote(v.name))
	}
	p.vars = append(p.vars, v)
}

// stateNames reads a list of states.
func (p *parser) stateNames(e xmltext.Element) (list []string) {
	p.children(e, func(s xmltext.Element) {
		name, _ := s.Attr("name")
		if list = append(list, name); len(list) > p.most {
			p.Errorf(s.Pos, "found more than %d states; want fewer", p.most)
		}
	})
	return list
}

// thresholds reads bounds of numbers.
func (p *parser) thresholds(e xmltext.Element) (list []cut) {
	p.children(e, func(t xmltext.Element) {
		value, _ := t.Attr("value")
		side, _ := t.Attr("belongsTo")
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || x != x || side != "left" && side != "right" {
			p.Errorf(t.Pos, "found the threshold %s, which belongs to %s; want a number that belongs to left or right", text.Quote(value), text.Quote(side))
		}
		list = append(list, cut{x, side == "left"})
	})
	return list
}

// link remembers a link with its restriction and revelation. The potentials say what the parents
// are; the links what decisions know.
func (p *parser) link(e xmltext.Element) {
	var ends []id
	l := link{pos: e.Pos}
	p.children(e, func(child xmltext.Element) {
		switch child.Name {
		case "Variable":
			ends = append(ends, p.ref(child).id)
		case "Potential":
			l.restriction = p.potential(child, map[string]*potential{})
		case "RevelationCondition":
			l.reveals = p.stateNames(child)
		}
	})
	if directed, ok := e.Attr("directed"); ok && directed == "false" {
		p.Errorf(e.Pos, "found a link without a direction; want one with it")
	}
	if len(ends) == 2 {
		l.from, l.to = ends[0], ends[1]
		p.links = append(p.links, l)
	}
}
