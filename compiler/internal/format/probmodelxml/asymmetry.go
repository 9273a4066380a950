package probmodelxml

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// restricted returns the links with a restriction.
func (p *parser) restricted() (list []string) {
	for _, l := range p.links {
		if l.restriction != nil {
			list = append(list, l.from.name+" -> "+l.to.name)
		}
	}
	return list
}

// asymmetry returns the restrictions and revelations of the links, and what is always observed.
func (b *builder) asymmetry() *model.Asymmetry {
	a := &model.Asymmetry{}
	for _, n := range b.nodes {
		if n.first.observed {
			a.Observed = append(a.Observed, n.ID)
		}
	}
	for _, l := range b.links {
		from, to := b.byName[l.from.name], b.byName[l.to.name]
		if l.restriction != nil && from != nil && to != nil {
			b.restriction(a, l, from, to)
		}
		if l.reveals == nil || from == nil || to == nil {
			continue
		}
		r := &model.Reveal{By: from.ID, Var: to.ID, Pos: l.pos}
		for _, s := range l.reveals {
			k := slices.Index(from.states, s)
			if k < 0 {
				b.Errorf(l.pos, "found the state %s in a revelation; want one of %s", text.Quote(s), text.Quote(from.name))
				continue
			}
			r.States = append(r.States, k)
		}
		a.Reveals = append(a.Reveals, r)
	}
	return a
}

// restriction adds the restriction of a link, of which the first variable of the table is fastest.
func (b *builder) restriction(a *model.Asymmetry, l link, from, to *node) {
	q := l.restriction
	n := len(from.states)
	if len(q.vars) != 2 || q.vars[0].name != from.name || q.vars[1].name != to.name || len(q.values) != n*len(to.states) {
		b.Errorf(q.pos, "found a restriction of %d variables and %d numbers; want %s and %s, and a number for each joint state", len(q.vars), len(q.values), text.Quote(from.name), text.Quote(to.name))
		return
	}
	r := &model.Restriction{Parent: from.ID, Child: to.ID, Pos: q.pos}
	for x := range n {
		for y := range to.states {
			r.Allowed = append(r.Allowed, q.values[x+n*y] != 0)
		}
	}
	a.Restrictions = append(a.Restrictions, r)
}
