package xdsl

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/cpt"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/xmltext"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// parser reads the nodes and then adds variables and factors, which may have another order than the
// nodes.
type parser struct {
	cpt.File
	dec    *xmltext.Decoder
	nodes  []*node
	first  map[string]*node // by id
	noisy  int              // numbers in the tables of noisy-max nodes so far
	full   bool             // reported that they are too many
	tables []func()         // fill them, once all are known to fit
}

func read(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := newParser(src, opt)
	p.List = &diag.List{}
	p.dec = xmltext.New(src.Name, src.Data, p.List)
	p.Pos = p.dec.Pos
	p.file()
	return p.model()
}

// newParser returns a parser of a file without its text.
func newParser(src *format.Source, opt format.ReadOptions) *parser {
	p := &parser{first: map[string]*node{}}
	p.Model = &model.Model{Kind: model.Bayes, File: src.Name}
	p.Names = map[string]model.VarID{}
	p.ReadOptions = opt.WithDefaults()
	return p
}

// model adds variables and factors, once all nodes are known.
func (p *parser) model() (*model.Model, diag.List) {
	if p.List.HasErrors() {
		return nil, *p.List // the definitions would only repeat that a node is missing
	}
	p.variables()
	var sums []*cpt.Table
	for _, n := range p.sorted(byFactor) {
		switch n.kind {
		case "decision":
			p.Decision(&n.Table)
		case "utility":
			p.Utility(&n.Table)
		case "mau":
			sums = append(sums, &n.Table)
		default:
			if f, ok := p.factor(n); ok {
				p.Model.Factors = append(p.Model.Factors, f)
			}
		}
	}
	if sums != nil && !p.List.HasErrors() {
		p.WeightedSums(sums)
	}
	if !p.List.HasErrors() {
		for _, fill := range p.tables {
			fill()
		}
	}
	return p.Model, *p.List
}

// is reports whether e is called one of tags.
func is(e xmltext.Element, tags ...string) bool { return slices.Contains(tags, e.Name) }

// unknown reports an element that is not allowed here.
func (p *parser) unknown(e xmltext.Element, want string) {
	p.List.Errorf(e.Pos, "found the element %s; want %s", text.Quote(e.Name), want)
}

// file reads the whole file, a smile element that contains one nodes element.
func (p *parser) file() {
	root, ok := p.dec.Root()
	if !ok {
		return
	}
	if !is(root, "smile") {
		p.unknown(root, `"smile"`)
		return
	}
	p.Model.Name, _ = root.Attr("id")
	found := 0
	for {
		e, ok := p.dec.Child(root)
		switch {
		case !ok:
			if found == 0 && !p.dec.Broken() {
				p.List.Errorf(root.Pos, `found no "nodes"; want the nodes of the network`)
			}
			p.dec.End()
			return
		case is(e, "dynamic"):
			p.List.Errorf(e.Pos, "found a dynamic network; want one without time: unroll it in GeNIe")
		case is(e, "extensions"):
			p.extensions(e)
		case is(e, "nodes"):
			if found++; found > 1 {
				p.List.Errorf(e.Pos, `found a second "nodes"; want one`)
			}
			p.within(e, false)
		case !is(e, "property", "properties"):
			p.unknown(e, "nodes or extensions")
		}
	}
}

// within reads the nodes in e, which is nodes or a submodel. A submodel also has a name and
// colours, which have no id.
func (p *parser) within(e xmltext.Element, submodel bool) {
	for {
		child, ok := p.dec.Child(e)
		if !ok {
			return
		}
		id, named := child.Attr("id")
		switch {
		case is(child, "submodel"):
			p.within(child, true)
		case is(child, "cpt", "deterministic", "noisymax", "equation", "decision", "utility", "mau"):
			p.node(child)
		case named:
			p.List.Errorf(child.Pos, "node %s is of the kind %s; want cpt, deterministic, noisymax, equation, decision, utility or mau", text.Quote(id), text.Quote(child.Name))
		case !submodel:
			p.unknown(child, "cpt, deterministic, noisymax, equation, decision, utility, mau or submodel")
		}
	}
}

// extensions reads the extension that pgmc writes and skips others.
func (p *parser) extensions(e xmltext.Element) {
	for child, ok := p.dec.Child(e); ok; child, ok = p.dec.Child(e) {
		if !is(child, extension) {
			continue
		}
		for prop, ok := p.dec.Child(child); ok; prop, ok = p.dec.Child(child) {
			if key, _ := prop.Attr("id"); is(prop, "property") && key == nameKey {
				p.unquote(prop, &p.Model.Name, "the name of the network")
			}
		}
	}
}

// variables adds the variables of all nodes.
func (p *parser) variables() {
	for _, n := range p.sorted(byVariable) {
		if n.kind == "utility" || n.kind == "mau" {
			continue
		}
		v := p.Model.NewVar(n.name, n.names...)
		v.Pos, v.Latent, v.Given = n.Table.Pos, n.latent, n.kind == "decision"
		if n.kind == "equation" {
			v.Domain = model.Real{}
		}
		p.Names[n.Child.Text] = v.ID
	}
}

// The two indices in pgmc_order.
const (
	byVariable = 0
	byFactor   = 1
)

// sorted returns the nodes ordered by one of their indices if all have them, and in the order of
// the file otherwise.
func (p *parser) sorted(by int) []*node {
	nodes := slices.Clone(p.nodes)
	for _, n := range nodes {
		if n.order == nil {
			return nodes
		}
	}
	slices.SortStableFunc(nodes, func(a, b *node) int { return a.order[by] - b.order[by] })
	return nodes
}
