package probmodelxml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/xmltext"
	"github.com/pgmc-go/pgmc/ir/model"
)

// influenceDiagram is the type of a network whose decisions and utilities are read.
const influenceDiagram = "InfluenceDiagram"

// scales reads the factor by which the utilities of each criterion are multiplied before they are
// added.
func (p *parser) scales(options xmltext.Element) {
	within := func(e xmltext.Element, name string, do func(xmltext.Element)) {
		p.children(e, func(c xmltext.Element) {
			if c.Name == name {
				do(c)
			}
		})
	}
	within(options, "MulticriteriaOptions", func(e xmltext.Element) {
		within(e, "Unicriterion", func(e xmltext.Element) {
			within(e, "Scales", func(e xmltext.Element) {
				within(e, "Scale", func(e xmltext.Element) {
					criterion, _ := e.Attr("Criterion")
					value, _ := e.Attr("Value")
					x, err := text.Number(value)
					if err != nil {
						p.Errorf(e.Pos, "found the scale %s; want %v", text.Quote(value), err)
					}
					p.scale[criterion] = x
				})
			})
		})
	})
}

// diagram adds the decisions and utilities of an influence diagram. If one of its utilities is none
// that a sum of tables holds, all are left out with a warning.
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
	for _, q := range b.parser.potentials {
		if !b.about(q) || q.kind == "Sum" && b.sumOfUtilities(q) {
			continue
		}
		u, problem := b.utility(q)
		if problem != "" {
			b.m.Unread = "utilities are left out: " + problem
			b.Warnf(q.pos, "%s", b.m.Unread)
			return
		}
		if u != nil {
			d.Utilities = append(d.Utilities, u)
		}
	}
	if len(d.Decisions)+len(d.Utilities) > 0 {
		b.m.Diagram = d
	}
}

// isUtility reports whether a variable is a utility.
func (b *builder) isUtility(r ref) bool {
	v := b.declared[r.id]
	return v != nil && v.role == "utility"
}

// sumOfUtilities reports whether a potential adds utilities, which are added in any case.
func (b *builder) sumOfUtilities(q *potential) bool {
	return !slices.ContainsFunc(q.vars, func(r ref) bool { return !b.isUtility(r) })
}

// utility returns the utility that a potential is, or why it cannot be one.
func (b *builder) utility(q *potential) (u *model.Utility, problem string) {
	q = b.childFirst(q, q.own)
	name := q.vars[0].name
	f := &family{builder: b, child: &node{name: name, states: []string{name}}, refs: q.vars[1:]}
	u = &model.Utility{Name: name, Pos: q.pos}
	size := 1
	for _, r := range f.refs {
		p := b.byName[r.name]
		if p == nil || b.isUtility(r) {
			return nil, fmt.Sprintf("%s is a function of another utility", text.Quote(name))
		}
		f.parents, u.Scope = append(f.parents, p), append(u.Scope, p.ID)
		if size *= len(p.states); size > maxTable {
			return nil, fmt.Sprintf("%s has more than %d numbers", text.Quote(name), maxTable)
		}
	}
	if !table(q) && q.kind != "Tree/ADD" && q.kind != "Uniform" {
		return nil, fmt.Sprintf("%s is of the type %s", text.Quote(name), text.Quote(q.kind))
	}
	f.state = make([]int, len(f.parents))
	if !f.check(q) {
		return nil, ""
	}
	scale, given := b.scale[b.criterion(q.vars[0])]
	if !given {
		scale = 1
	}
	row := make([]float64, 1)
	for more := true; more && !b.HasErrors(); more = f.advance() {
		if q.kind == "Uniform" {
			row[0] = 0
		} else {
			f.row(q, row)
		}
		u.Values = append(u.Values, scale*row[0])
	}
	return u, ""
}

// criterion returns the criterion of a utility.
func (b *builder) criterion(r ref) string {
	if v := b.declared[r.id]; v != nil {
		return strings.TrimSpace(v.criterion)
	}
	return ""
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
