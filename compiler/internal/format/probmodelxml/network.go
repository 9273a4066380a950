package probmodelxml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// node is a variable of all slices.
type node struct {
	name    string
	at      [3]*variable // in slice 0, in slice 1, and without a slice
	first   *variable    // the first of them in the file
	states  []string
	numbers []float64 // of a numeric variable, by state
	given   bool
	*model.Var

	// Of a numeric variable that is not given, while its states are found:
	values   [][]int32        // the numbers of its numbers that it can have, by slice
	index    map[string]int32 // of its numbers, by their labels
	measured bool             // others depend on the number, and not only on its interval
	clock    bool             // it counts cycles up to the last threshold
	filling  bool             // its values in a slice are being found
	grows    bool             // it has further values after the last slice
}

// pos returns where the node is first declared.
func (n *node) pos() diag.Pos { return n.first.pos }

// builder makes the model.
type builder struct {
	*parser
	nodes      []*node
	byName     map[string]*node
	declared   map[id]*variable
	potentials map[id]*potential // by child
	utilities  map[id]*potential
	valued     []string // the utilities with potentials
	m          *model.Model
	next       *model.Transition // nil in a network without slices, or while slice 0 is made
	numbers    int               // in tables that the file does not list
	steps      int               // the number of slices for which the values of numbers are found
	work       int               // in finding them
	counting   []int32           // 0, 1, ...
}

// network returns the model, once the file was read.
func (p *parser) network() *model.Model {
	b := &builder{parser: p, byName: map[string]*node{}, declared: map[id]*variable{}, potentials: map[id]*potential{}, utilities: map[id]*potential{},
		m: &model.Model{Name: p.name, Kind: model.Bayes, File: p.file}}
	b.count()
	b.declare()
	if b.HasErrors() {
		return nil
	}
	b.distributions()
	if b.types(); b.HasErrors() {
		return nil
	}
	if b.states(); b.HasErrors() {
		return nil
	}
	b.factors()
	if !b.HasErrors() && b.m.Unread == "" {
		b.diagram()
	}
	return b.m
}

// states makes the variables with their states.
func (b *builder) states() {
	switch b.steps = b.time.horizon(); {
	case !b.template():
		b.steps = 1
	case b.steps == 0:
		b.steps = 2 // enough to see whether a number has new values in each slice
	}
	for _, n := range b.nodes {
		n.given = n.first.role == "decision" && b.own(n, 0) == nil && b.own(n, 1) == nil
		if n.first.kind != "numeric" {
			n.states = n.first.states
			continue
		}
		first, next := b.own(n, 0), b.potentials[id{n.name, 1}]
		if n.given || (first == nil || first.kind == "Uniform") && (next == nil || next.kind == "SameAsPrevious" || next.shifts(n)) {
			b.intervals(n)
		}
	}
	if b.HasErrors() {
		return
	}
	b.enumerate()
	for _, n := range b.nodes {
		n.Var = b.m.NewVar(n.name, n.states...)
		n.Var.Pos, n.Var.Given = n.pos(), n.given
	}
}

// template reports whether there are slices.
func (b *builder) template() bool {
	return slices.ContainsFunc(b.vars, func(v *variable) bool { return v.slice >= 0 })
}

// count gives hazards of Weibull distributions without a variable for the time one that counts the
// slices: their time is the number of the slice.
func (b *builder) count() {
	name := "slice"
	for slices.ContainsFunc(b.vars, func(v *variable) bool { return v.name == name }) {
		name += "'"
	}
	var first *potential
	for _, q := range b.parser.potentials {
		if len(q.own) > 0 || len(q.vars) == 0 || q.vars[0].slice < 0 || q.timeless() == nil {
			continue
		}
		r := ref{id{name, q.vars[0].slice}, q.pos}
		for h := q.timeless(); h != nil; h = q.timeless() {
			h.time = &r
		}
		if q.vars = append(q.vars, r); first == nil {
			first = q
		}
	}
	if first == nil {
		return
	}
	now, next := ref{id{name, 0}, first.pos}, ref{id{name, 1}, first.pos}
	for _, r := range []ref{now, next} {
		b.vars = append(b.vars, &variable{ref: r, kind: "numeric", role: "chance"})
	}
	b.parser.potentials = append(b.parser.potentials, &potential{pos: now.pos, kind: "Delta", hasNumber: true, vars: []ref{now}},
		&potential{pos: now.pos, kind: "CycleLengthShift", vars: []ref{next, now}})
}

// timeless returns a hazard of a Weibull distribution in a potential that has no variable for the
// time, or nil.
func (q *potential) timeless() *potential {
	return q.find(func(h *potential) bool { return h.weibull() && h.time == nil })
}

// start returns the start of the file.
func (b *builder) start() diag.Pos { return diag.Pos{File: b.file, Line: 1, Col: 1} }

// declare collects the variables of slices as nodes. Utilities are none.
func (b *builder) declare() {
	var utilities []string
	for _, v := range b.vars {
		if first := b.declared[v.id]; first != nil {
			b.Errorf(v.pos, "variable %s is declared twice; first at %v", text.Quote(v.name), first.pos)
			continue
		}
		b.declared[v.id] = v
		if v.role == "utility" {
			if !slices.Contains(utilities, v.name) {
				utilities = append(utilities, v.name)
			}
			continue
		}
		n := b.byName[v.name]
		if n == nil {
			n = &node{name: v.name, first: v}
			b.byName[v.name], b.nodes = n, append(b.nodes, n)
		}
		if f := n.first; f.kind != v.kind || f.role != v.role || !slices.Equal(f.states, v.states) && v.kind != "numeric" || (f.slice < 0) != (v.slice < 0) {
			b.Errorf(v.pos, "variable %s differs from that of another slice, at %v; want the same type, role and states", text.Quote(v.name), f.pos)
		}
		n.at[(v.slice+3)%3] = v
	}
	if len(b.nodes) == 0 && (!b.diagramType() || len(utilities) == 0 || len(b.parser.potentials) == 0) && !b.HasErrors() {
		b.Errorf(b.start(), "found no chance variable and no decision; want at least one")
	}
	b.unread(utilities)
	if b.findings {
		b.Warnf(b.start(), "the findings of the file are left out")
	}
}

// unread warns of the parts of the file that become no part of the model, and says what they are in
// a file with decisions or utilities.
func (b *builder) unread(utilities []string) {
	var parts []string
	if !b.diagramType() {
		if len(utilities) > 0 {
			parts = append(parts, "utilities ("+strings.Join(utilities, ", ")+")")
		}
		if slices.ContainsFunc(b.nodes, func(n *node) bool { return n.first.role == "decision" }) {
			parts = append(parts, "what its decisions know")
		}
	}
	decides := len(parts) > 0 || b.diagramType()
	if b.kind != network {
		if list := b.restricted(); len(list) > 0 {
			parts = append(parts, "restrictions of links ("+strings.Join(list, ", ")+")")
		}
	}
	if len(parts) == 0 {
		return
	}
	message := fmt.Sprintf("the file is of type %s, of which these are not read: %s", text.Quote(b.kind), strings.Join(parts, ", "))
	if why := unsolved[b.kind]; why != "" && !b.diagramType() {
		message += ", since " + why
	}
	if b.Warnf(b.start(), "%s", message); decides {
		b.m.Unread = message
	}
}

// about reports whether a potential is about a utility.
func (b *builder) about(q *potential) bool {
	if len(q.own) > 0 || len(q.vars) == 0 {
		return true
	}
	v := b.declared[q.vars[0].id]
	return q.role == "utility" || v != nil && v.role == "utility"
}

// distributions finds the potential of each child and of each utility.
func (b *builder) distributions() {
	for _, q := range b.parser.potentials {
		to := b.potentials
		if b.about(q) {
			if q, to = b.childFirst(q, q.own), b.utilities; len(q.vars) == 0 {
				b.Errorf(q.pos, "found a potential without a variable; want one")
				continue
			}
			if !slices.Contains(b.valued, q.vars[0].name) {
				b.valued = append(b.valued, q.vars[0].name)
			}
		}
		child := q.vars[0]
		switch first := to[child.id]; {
		case b.declared[child.id] == nil:
			b.Errorf(child.pos, "found %s; want a variable that is declared, of this slice", text.Quote(child.name))
		case first != nil && first.text() == q.text():
			b.Warnf(q.pos, "found the potential of %s a second time; first at %v", text.Quote(child.name), first.pos)
		case first != nil:
			b.Errorf(q.pos, "found a second potential of %s; want one; first at %v", text.Quote(child.name), first.pos)
		default:
			to[child.id] = q
		}
	}
}

// own returns the potential of a node in a slice, or nil. One without a slice has it in slice 0.
func (b *builder) own(n *node, slice int) *potential {
	if q := b.potentials[id{n.name, slice}]; q != nil || slice == 1 {
		return q
	}
	return b.potentials[id{n.name, timeless}]
}

// factors adds the CPDs of slice 0 and, if there are slices, those of the transition.
func (b *builder) factors() {
	for _, n := range b.nodes {
		if f := b.initial(n); f != nil {
			b.m.Factors = append(b.m.Factors, f)
		}
	}
	if !b.template() || b.HasErrors() {
		return
	}
	b.next = &model.Transition{}
	for _, n := range b.nodes {
		if f := b.later(n); f != nil {
			b.next.Factors = append(b.next.Factors, f)
		}
	}
	b.m.Transition = b.next
}

// initial returns the CPD of a node in slice 0, or nil if it is given.
func (b *builder) initial(n *node) *model.Factor {
	q := b.own(n, 0)
	switch {
	case n.given:
		return nil
	case q == nil && n.at[0] == nil && n.at[1] != nil:
		b.Warnf(n.pos(), "variable %s begins in slice 1; it is uniform in slice 0", text.Quote(n.name))
		q = &potential{pos: n.pos(), kind: "Uniform", vars: []ref{n.first.ref}}
	case q == nil:
		b.Errorf(n.pos(), "variable %s has no potential; want one", text.Quote(n.name))
		return nil
	}
	return b.factor(n, q)
}

// later returns the CPD of a node in a slice after slice 0, or nil if it is given.
func (b *builder) later(n *node) *model.Factor {
	q := b.own(n, 1)
	switch {
	case n.given:
		return nil
	case n.at[2] != nil: // a copy
		d := &model.Deterministic{}
		for s := range n.states {
			d.States = append(d.States, int32(s))
		}
		return &model.Factor{Scope: []model.VarID{b.before(n), n.ID}, Child: 1, Dist: d, Pos: n.pos()}
	case q == nil && n.at[1] != nil && n.first.role == "chance":
		b.Errorf(n.pos(), "variable %s has no potential in slice 1; want one", text.Quote(n.name))
		return nil
	case q == nil || q.kind == "SameAsPrevious":
		q = b.own(n, 0)
	}
	if q == nil {
		b.Errorf(n.pos(), "variable %s repeats slice 0, where it has no potential; want one", text.Quote(n.name))
		return nil
	}
	return b.factor(n, q)
}

// before returns a node a slice ago.
func (b *builder) before(n *node) model.VarID {
	i := slices.Index(b.next.Before, n.ID)
	if i < 0 {
		i = len(b.next.Before)
		b.next.Before = append(b.next.Before, n.ID)
	}
	return model.VarID(len(b.m.Vars) + i)
}
