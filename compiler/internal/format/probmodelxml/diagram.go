package probmodelxml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// network is the type of decision analysis networks.
const network = "DAN"

// solved holds the types of networks of which the decisions and utilities are read. MPAD and SMM
// are older names of MID.
var solved = []string{"", "BayesianNetwork", "DynamicBayesianNetwork", "InfluenceDiagram", "LIMID", network, "MID", "MPAD", "SMM", "MDP", "POMDP", "DynamicLIMID"}

// unsolved says why those of other types are not.
var unsolved = map[string]string{
	"DEC_POMDP": "several agents decide, each by what it knows itself",
	"DESNet":    "its events happen at any time, and not in slices",
}

// diagramType reports whether the decisions and utilities of the file are read.
func (p *parser) diagramType() bool { return slices.Contains(solved, p.kind) }

// leave says why the decisions and utilities of the file are left out.
func (b *builder) leave(pos diag.Pos, format string, args ...any) {
	b.m.Unread = "decisions and utilities are left out: " + fmt.Sprintf(format, args...)
	b.Warnf(pos, "%s", b.m.Unread)
}

// diagram adds the decisions and utilities. If one of the utilities cannot be read, all of both are
// left out with a warning.
func (b *builder) diagram() {
	d, next := &model.Diagram{}, b.next
	b.next = nil
	d.Decisions = b.decisions(0)
	if len(d.Decisions) == 0 && !slices.ContainsFunc(b.vars, func(v *variable) bool { return v.role == "utility" }) {
		return
	}
	if next != nil && b.kind == network {
		b.leave(b.start(), "a decision analysis network with slices is not solved")
		return
	}
	var ok bool
	if d.Utilities, ok = b.slice(0); !ok {
		return
	}
	all := d.Utilities
	if next != nil {
		b.next, d.Horizon = next, b.time.horizon()
		later, ok := b.slice(1)
		if !ok {
			return
		}
		next.Decisions, next.Utilities, all = b.decisions(1), later, slices.Concat(all, later)
	}
	d.Criteria = b.criteria(all)
	if b.kind == network {
		d.Asymmetry = b.asymmetry()
	}
	if len(d.Decisions) > 0 && strings.HasSuffix(b.kind, "LIMID") {
		b.Warnf(b.start(), "the file is of type %s, in which a decision knows only what links say; pgmc decide takes it so with --limited", text.Quote(b.kind))
	}
	b.m.Diagram = d
}

// decisions returns the decisions of slice 0, or those of later slices. Without its own links in
// slice 1, a decision has those of slice 0.
func (b *builder) decisions(slice int) (list []*model.Decision) {
	for _, n := range b.nodes {
		once := n.at[2] != nil
		if !n.given || n.first.role != "decision" || once && slice == 1 {
			continue
		}
		x := &model.Decision{Var: n.ID, Once: once && b.template(), Pos: n.pos()}
		to := id{n.name, slice}
		switch {
		case once:
			to.slice = timeless
		case n.at[slice] == nil && slice == 1:
			to.slice = 0
		}
		for _, l := range b.links {
			from := b.byName[l.from.name]
			if l.to != to || from == nil {
				continue
			}
			v := from.ID
			switch {
			case l.from.slice > max(0, to.slice):
				b.Errorf(l.pos, "found a link from %s in a later slice than that of the decision %s; want what is known before it", text.Quote(from.name), text.Quote(n.name))
			case to.slice == 1 && l.from.slice == 0:
				v = b.before(from)
			}
			if !slices.Contains(x.Known, v) {
				x.Known = append(x.Known, v)
			}
		}
		list = append(list, x)
	}
	return list
}

// slice returns the utilities of slice 0, or those of later slices. If one cannot be read, it says
// why they are left out.
func (b *builder) slice(t int) (list []*model.Utility, ok bool) {
	for _, v := range b.vars {
		if v.role == "utility" && !slices.Contains(b.valued, v.name) {
			b.leave(v.pos, "utility %s has no potential", text.Quote(v.name))
			return nil, false
		}
	}
	var potentials []*potential
	for _, name := range b.valued {
		if q := b.counted(name, t); q != nil {
			potentials = append(potentials, q)
		}
	}
	if t == 1 && len(potentials) > 0 && b.time.transition == "HALF" {
		b.leave(b.time.pos, "transitions are in the middle of cycles (HALF), and which utilities that corrects depends on the version of OpenMarkov; want BEGINNING or END")
		return nil, false
	}
	return b.valuation(potentials)
}

// counted returns the potential of a utility in slice 0 or in later slices, or nil if it does not
// count there. One without a slice counts once, in slice 0.
func (b *builder) counted(name string, t int) *potential {
	zero := b.utilities[id{name, 0}]
	switch q := b.utilities[id{name, 1}]; {
	case t == 1 && (q == nil || q.kind == "SameAsPrevious"):
		return zero
	case t == 1:
		return q
	case zero != nil && b.time.first():
		return zero
	}
	return b.utilities[id{name, timeless}]
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
