package net

import (
	"strings"

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
}

// node reads `node NAME { attributes }`. It rejects all nodes but chance nodes.
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
	if kind != "node" {
		if real {
			kind = "continuous " + kind
		}
		p.Errorf(p.pos(n.id.off), "%s is a %s; want chance nodes only", text.Quote(n.id.text), kind)
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
	if first, dup := p.byName[n.id.text]; dup {
		p.Errorf(pos, "node %s is declared twice; first at %v", id, p.m.Vars[first].Pos)
		return true
	}
	v := p.m.NewVar(n.name, states...)
	if n.real {
		v.Domain = model.Real{}
	}
	v.Pos, v.Latent = pos, n.latent
	p.byName[strings.Clone(n.id.text)] = v.ID
	return true
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
