package net

import (
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/cpt"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The attributes of a node that pgmc adds.
const (
	nameKey   = "pgmc_name"   // the name of a node, if it is not an identifier
	latentKey = "pgmc_latent" // "true"
)

// node is a node block as the file gives it.
type node struct {
	id      token // its identifier
	name    string
	subtype string
	states  []string // nil if not given
	values  []string // of the states, or the ends of the intervals
	latent  bool
	real    bool // a continuous node
	given   bool // a decision
}

// node reads `node NAME { attributes }`. It rejects continuous decisions and functions.
func (p *parser) node() bool {
	first := p.tok
	if p.tok.is("discrete", "continuous") {
		p.advance()
	}
	if !p.tok.is("node", "decision", "utility", "function") {
		return p.fail(`"node"`)
	}
	kind := p.tok.text
	real := first.is("continuous")
	p.advance()
	if p.tok.kind != word {
		return p.fail("the name of the node")
	}
	n := node{id: p.tok, name: strings.Clone(p.tok.text), subtype: "labelled", real: real}
	p.advance()
	switch {
	case kind == "utility" && !real:
		return p.attributes(func(token) bool { return p.skip() }) && p.declareUtility(&n)
	case kind == "decision" && !real:
		n.given = true
	case kind != "node":
		if real {
			kind = "continuous " + kind
		}
		p.Errorf(p.pos(n.id.off), "%s is a %s; want a chance node, a discrete decision or a utility", text.Quote(n.id.text), kind)
		return p.attributes(func(token) bool { return p.skip() })
	}
	return p.attributes(func(key token) bool { return p.nodeAttribute(&n, key) }) && p.declare(&n)
}

func (p *parser) nodeAttribute(n *node, key token) (ok bool) {
	switch key.text {
	case "states":
		if n.states != nil {
			p.Errorf(p.pos(key.off), "node %s has its states twice; want them once", text.Quote(n.id.text))
			return false
		}
		n.states, ok = p.list("a state")
	case "subtype":
		if !p.tok.is("labelled", "labeled", "boolean", "number", "interval") {
			return p.fail(`"labelled", "boolean", "number" or "interval"`)
		}
		n.subtype, ok = p.tok.text, true
		p.advance()
	case "state_values":
		n.values, ok = p.list("a number")
	case nameKey:
		n.name, ok = p.name("the name of the node in quotes", quoted)
	case latentKey:
		var s string
		s, ok = p.name(`"true" or "false"`, word, quoted)
		n.latent = s == "true"
	default:
		ok = p.skip()
	}
	return ok
}

// declare adds the variable of a node.
func (p *parser) declare(n *node) bool {
	pos := p.pos(n.id.off)
	id := text.Quote(n.id.text)
	states := n.stateNames()
	switch {
	case n.real && n.states != nil:
		p.Errorf(pos, "node %s is continuous and has states; want one of them", id)
		return true
	case n.real:
	case len(states) == 0:
		p.Errorf(pos, "node %s has no states; want at least one", id)
		return true
	case n.subtype == "boolean" && len(states) != 2:
		p.Errorf(pos, "node %s is boolean and has %d states; want two", id, len(states))
		return true
	}
	if p.twice(n) {
		return true
	}
	v := p.m.NewVar(n.name, states...)
	if n.real {
		v.Domain = model.Real{}
	}
	v.Pos, v.Latent, v.Given = pos, n.latent, n.given
	id = strings.Clone(n.id.text)
	if p.byName[id] = v.ID; n.given {
		p.decisions = append(p.decisions, cpt.Name{Text: id, Pos: pos})
	}
	return true
}

// twice reports a node that is declared already.
func (p *parser) twice(n *node) bool {
	first, dup := p.utility(n.id.text)
	if v, is := p.byName[n.id.text]; is {
		first.Pos, dup = p.m.Vars[v].Pos, true
	}
	if dup {
		p.Errorf(p.pos(n.id.off), "node %s is declared twice; first at %v", text.Quote(n.id.text), first.Pos)
	}
	return dup
}

// utility returns a utility that is declared.
func (p *parser) utility(id string) (u cpt.Name, ok bool) {
	i := slices.IndexFunc(p.utilities, func(u cpt.Name) bool { return u.Text == id })
	if i < 0 {
		return u, false
	}
	return p.utilities[i], true
}

// declareUtility adds the node of a utility.
func (p *parser) declareUtility(n *node) bool {
	if !p.twice(n) {
		p.utilities = append(p.utilities, cpt.Name{Text: strings.Clone(n.id.text), Pos: p.pos(n.id.off)})
	}
	return true
}

// gain adds the utility of a potential.
func (p *parser) gain(file *cpt.File, q *potential) {
	switch {
	case q.normals != nil:
		p.Errorf(p.pos(q.normals[0].off), "found a normal distribution for the utility %s; want numbers", text.Quote(q.Child.Text))
	case p.discreteParents(q) && file.Utility(&q.Table):
		u := p.m.Diagram.Utilities[len(p.m.Diagram.Utilities)-1]
		if len(u.Scope) > 0 {
			p.nested(q, u.Scope, "numbers")
		}
	}
}

// withoutPotential adds the decisions without a potential, which know nothing, and reports such
// utilities.
func (p *parser) withoutPotential(file *cpt.File) {
	for _, u := range p.utilities {
		if !slices.ContainsFunc(p.potentials, func(q *potential) bool { return q.Child.Text == u.Text }) {
			p.Errorf(u.Pos, "utility %s has no potential; want one", text.Quote(u.Text))
		}
	}
	for _, d := range p.decisions {
		if p.m.Decides(p.byName[d.Text]) == nil && !p.HasErrors() {
			file.Decision(&cpt.Table{Pos: d.Pos, Child: d})
		}
	}
}

// stateNames returns the names of the states or, without names, their values.
func (n *node) stateNames() []string {
	if n.states == nil && n.subtype == "boolean" {
		return []string{"false", "true"}
	}
	for _, s := range n.states {
		if s != "" {
			return n.states
		}
	}
	count := len(n.values)
	if n.subtype == "interval" {
		count = max(0, count-1)
	}
	if len(n.states) != count && n.states != nil || n.subtype != "number" && n.subtype != "interval" {
		return n.states
	}
	names := make([]string, count)
	for i := range names {
		names[i] = n.values[i]
		if n.subtype == "interval" {
			names[i] += " - " + n.values[i+1]
		}
	}
	return names
}
