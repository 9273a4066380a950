package net

import (
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// temporal is a node that stands for another one a slice ago.
type temporal struct {
	id, of token
	v      model.VarID
}

// temporalNode reads `temporal NAME : NODE { attributes }`.
func (p *parser) temporalNode() bool {
	p.advance()
	var t temporal
	for _, id := range []*token{&t.id, &t.of} {
		if p.tok.kind != word {
			return p.fail("the name of a node")
		}
		*id = p.tok
		p.advance()
		if id == &t.of {
			break
		}
		if !p.tok.is(":") {
			return p.fail(`":"`)
		}
		p.advance()
	}
	n := node{id: t.id, name: strings.Clone(t.id.text)}
	if !p.attributes(func(key token) bool { return p.temporalAttribute(&n, key) }) {
		return false
	}
	if first, dup := p.byName[n.id.text]; dup {
		p.Errorf(p.pos(n.id.off), "node %s is declared twice; first at %v", text.Quote(n.id.text), p.m.Vars[first].Pos)
		return true
	}
	v := p.m.NewVar(n.name)
	v.Pos, v.Latent, t.v = p.pos(n.id.off), n.latent, v.ID
	p.byName[strings.Clone(n.id.text)] = v.ID
	p.temporals = append(p.temporals, t)
	return true
}

// temporalAttribute reads an attribute of a temporal node, whose states are those of the other one.
func (p *parser) temporalAttribute(n *node, key token) bool {
	switch key.text {
	case nameKey, latentKey:
		return p.nodeAttribute(n, key)
	}
	return p.skip()
}

// domains gives temporal nodes the domains of the nodes that they stand for.
func (p *parser) domains() {
	for _, t := range p.temporals {
		of, known := p.byName[t.of.text]
		if !known || slices.ContainsFunc(p.temporals, func(u temporal) bool { return u.v == of }) {
			p.Errorf(p.pos(t.of.off), "found %s; want the node of the class that %s stands for", text.Quote(t.of.text), text.Quote(t.id.text))
			continue
		}
		p.m.Vars[t.v].Domain = p.m.Vars[of].Domain
	}
}

// transition makes a network with temporal nodes a template. The first slice has them with their
// own CPDs. In each later slice they take the values of their nodes in the slice before.
func (p *parser) transition() {
	if len(p.temporals) == 0 || p.HasErrors() {
		return
	}
	next := &model.Transition{}
	for _, f := range p.m.Factors {
		i := slices.IndexFunc(p.temporals, func(t temporal) bool { return t.v == f.ChildVar() })
		if i >= 0 {
			f = p.copyOf(next, p.temporals[i])
		}
		next.Factors = append(next.Factors, f)
	}
	p.m.Transition = next
}

// copyOf returns the CPD of a temporal node in a later slice.
func (p *parser) copyOf(next *model.Transition, t temporal) *model.Factor {
	of := p.byName[t.of.text]
	k := slices.Index(next.Before, of)
	if k < 0 {
		k = len(next.Before)
		next.Before = append(next.Before, of)
	}
	f := &model.Factor{Scope: []model.VarID{model.VarID(len(p.m.Vars) + k), t.v}, Child: 1, Pos: p.pos(t.id.off)}
	if p.m.IsReal(t.v) {
		f.Dist = &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{0}}
		return f
	}
	d := &model.Deterministic{}
	for s := range p.m.Card(t.v) {
		d.States = append(d.States, int32(s))
	}
	f.Dist = d
	return f
}
