package probmodelxml

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The types of networks with decisions and utilities that are read.
const (
	influenceDiagram = "InfluenceDiagram"
	network          = "DAN" // a decision analysis network
)

// diagramType reports whether the decisions and utilities of the file are read.
func (p *parser) diagramType() bool { return p.kind == influenceDiagram || p.kind == network }

// diagram adds the decisions and utilities of an influence diagram. If one of its utilities is
// neither a table nor a function of others, all are left out with a warning.
func (b *builder) diagram() {
	d := &model.Diagram{}
	for _, n := range b.nodes {
		if !n.given || n.first.role != "decision" {
			continue
		}
		x := &model.Decision{Var: n.ID, Pos: n.pos()}
		for _, l := range b.links {
			if from := b.byName[l.from]; l.to == n.name && from != nil && !slices.Contains(x.Known, from.ID) {
				x.Known = append(x.Known, from.ID)
			}
		}
		d.Decisions = append(d.Decisions, x)
	}
	if problem := b.utilities(d); problem != "" {
		b.m.Unread = "utilities are left out: " + problem
		b.Warnf(b.start(), "%s", b.m.Unread)
		return
	}
	for _, v := range b.vars {
		if v.role == "utility" && !b.HasErrors() && !slices.ContainsFunc(d.Utilities, func(u *model.Utility) bool { return u.Name == v.name }) {
			b.Errorf(v.pos, "utility %s has no potential; want one", text.Quote(v.name))
		}
	}
	if len(d.Decisions)+len(d.Utilities) > 0 {
		d.Criteria = b.criteria(d)
		if b.kind == network {
			d.Asymmetry = b.asymmetry()
		}
		b.m.Diagram = d
	}
}

// isUtility reports whether a variable is a utility.
func (b *builder) isUtility(r ref) bool {
	v := b.declared[r.id]
	return v != nil && v.role == "utility"
}

// childFirst returns a potential whose first variable is the utility that it is about, in its
// branches, too. Version 0.2.0 names it in an element of its own.
func (b *builder) childFirst(q *potential, own []ref) *potential {
	if len(own) == 0 {
		return q
	}
	c := *q
	c.vars = append(slices.Clone(own[:1]), q.vars...)
	c.vars = append(c.vars, own[1:]...) // utilities on which it depends
	c.branches = nil
	for _, br := range q.branches {
		d := *br
		d.potential = b.childFirst(br.potential, own[:1])
		c.branches = append(c.branches, &d)
	}
	return &c
}
