package ir

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Row defines the weights of the joint states of some variables, from which the steps of samplers
// draw: the products of tables and trees. The looping axes come first, the last of them fastest.
// The other axes are fixed at their states.
type Row struct {
	Axes  []Axis
	In    []View
	Trees []TreeView
}

// TreeView is a decision tree as an operand. Leaves holds the numbers of its leaves: one number per
// leaf if Child is negative, and one per state of Child for a CPD. A tree without nodes is one
// leaf.
type TreeView struct {
	Leaves SpanID
	Child  model.VarID
	Nodes  []TreeTest
}

// TreeTest is an inner node. For state i of Var, the path goes on to node Next[i] or, if that is
// negative, to the leaf with numbers from -1-Next[i] on.
type TreeTest struct {
	Var  model.VarID
	Next []int32
}

// RowOp is a [Row] over tables and trees, for the joint states of Vars, the last of them fastest.
type RowOp struct {
	Vars  []model.VarID
	In    []TableID
	Trees []TreeOp
}

// TreeOp is a [TreeView] with leaves in a table with one number per leaf, or one per leaf and state
// of the child.
type TreeOp struct {
	Factor int // index of the factor in the model
	Leaves TableID
	Child  model.VarID
	Nodes  []TreeTest
}

// Drawn returns the number of looping axes, and the number of their joint states.
func (r *Row) Drawn() (vars, states int) {
	states = 1
	for ; vars < len(r.Axes) && r.Axes[vars].Kind == AxisOut; vars++ {
		states *= r.Axes[vars].Size
	}
	return vars, states
}

// products returns the number of joint states of a row, times the number of its operands.
func (r *Row) products() int { return entries(r.Axes) * max(1, len(r.In)+len(r.Trees)) }

// refs visits the operands.
func (r *Row) refs(visit RefVisitor) {
	visit.views(r.In, Read)
	for i := range r.Trees {
		visit.one(&r.Trees[i].Leaves, Read)
	}
}

// states visits the fixed variables, and then those that are drawn, with the given use.
func (r *Row) states(visit StateVisitor, drawn Use) {
	visit.fixed(r.Axes)
	for _, a := range r.Axes {
		if a.Kind == AxisOut {
			visit(a.Var, drawn)
		}
	}
}

// text writes `[v1:2 v0:3@] = s1(1 2) trees s4 child v1 { v0 1 -1 } end`.
func (r *Row) text() string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s =", axesText(r.Axes))
	for _, v := range r.In {
		b.WriteString(" " + viewText(v))
	}
	b.WriteString(" trees")
	for _, t := range r.Trees {
		fmt.Fprintf(b, " %s child v%d {", spanName(t.Leaves), t.Child)
		for _, n := range t.Nodes {
			fmt.Fprintf(b, " v%d", n.Var)
			for _, next := range n.Next {
				fmt.Fprintf(b, " %d", next)
			}
		}
		b.WriteString(" }")
	}
	b.WriteString(" end")
	return b.String()
}

// row reads the form that text writes.
func (ps *parser) row() (r Row) {
	r.Axes = ps.axes()
	ps.expect("=")
	for !strings.HasPrefix(ps.rest, "trees ") {
		r.In = append(r.In, ps.view())
	}
	ps.expect("trees")
	for w := ps.word(); w != "end"; w = ps.word() {
		r.Trees = append(r.Trees, ps.tree(w))
	}
	return r
}

// tree reads a tree; leaves is the word for its leaves.
func (ps *parser) tree(leaves string) TreeView {
	t := TreeView{Leaves: ps.spanOf(leaves)}
	ps.expect("child")
	t.Child = model.VarID(ps.after("v", ps.word()))
	ps.expect("{")
	for w := ps.word(); w != "}"; w = ps.word() {
		if v, ok := strings.CutPrefix(w, "v"); ok {
			t.Nodes = append(t.Nodes, TreeTest{Var: model.VarID(ps.after("", v))})
		} else if len(t.Nodes) == 0 {
			ps.fail("found %q; want a test such as v1", w)
		} else {
			n := &t.Nodes[len(t.Nodes)-1]
			n.Next = append(n.Next, int32(ps.after("", w)))
		}
	}
	return t
}

// verify checks the operands of a row with weights that go to a span.
func (r *Row) verify(v *verifier, weights SpanID) {
	v.axes(r.Axes)
	drawn, states := r.Drawn()
	if drawn == 0 || slices.ContainsFunc(r.Axes[drawn:], loops) {
		v.errorf("draws along other axes than some that loop, then fixed ones")
		return
	}
	for _, a := range r.Axes[:drawn] {
		v.stateOf(a.Var)
	}
	if v.numbers(weights, "weights", true) && v.p.Spans[weights].Len != states {
		v.errorf("weights s%d have %d numbers; want %d", weights, v.p.Spans[weights].Len, states)
	}
	for _, in := range r.In {
		if v.view(r.Axes, in, "operand") && v.known(weights) {
			v.apart(weights, in.Span)
		}
	}
	for i := range r.Trees {
		r.Trees[i].verify(v, r)
	}
}

// verify checks that tests are on variables of the row, and that nodes lead to later nodes and to
// existing leaves.
func (t *TreeView) verify(v *verifier, r *Row) {
	if !v.numbers(t.Leaves, "leaves", false) {
		return
	}
	leaf := 1
	if t.Child >= 0 {
		i := slices.IndexFunc(r.Axes, func(a Axis) bool { return a.Var == t.Child })
		if i < 0 {
			v.errorf("the child v%d of a tree is none of the axes", t.Child)
			return
		}
		leaf = r.Axes[i].Size
	}
	if len(t.Nodes) == 0 && v.p.Spans[t.Leaves].Len < leaf {
		v.errorf("leaves s%d have %d numbers; want %d", t.Leaves, v.p.Spans[t.Leaves].Len, leaf)
	}
	for i, n := range t.Nodes {
		axis := slices.IndexFunc(r.Axes, func(a Axis) bool { return a.Var == n.Var })
		if axis < 0 || len(n.Next) != r.Axes[axis].Size {
			v.errorf("node %d of a tree tests v%d for %d states; want one of the axes, and its states", i, n.Var, len(n.Next))
			return
		}
		for _, next := range n.Next {
			if next >= 0 && (int(next) <= i || int(next) >= len(t.Nodes)) || next < 0 && int(-1-next)+leaf > v.p.Spans[t.Leaves].Len {
				v.errorf("node %d of a tree leads to %d, which is not there", i, next)
			}
		}
	}
}

// refs visits the tables and the leaves.
func (r *RowOp) refs(visit TableVisitor) {
	visit.all(r.In, Read)
	for i := range r.Trees {
		visit.one(r.Trees[i].Leaves, Read)
	}
}

// text describes the variables, tables and trees for people.
func (r *RowOp) text(s *Schedule) string {
	text := fmt.Sprintf("%s from %s", s.scope(r.Vars), s.tables(r.In...))
	for i := range r.Trees {
		text += fmt.Sprintf(" * tree of %s", s.Model.FactorName(s.Model.Factors[r.Trees[i].Factor]))
	}
	return text
}

// verify checks the references of a row with weights that go to a table.
func (r *RowOp) verify(v *scheduleVerifier, weights TableID) {
	tables := slices.Clone(r.In)
	for i := range r.Trees {
		tables = append(tables, r.Trees[i].Leaves)
	}
	if !v.vars("row", r.Vars) || !v.tables(tables...) {
		return
	}
	if v.writable(weights) && !slices.Equal(v.s.Tables[weights].Scope, r.Vars) {
		v.errorf("weights t%d are over %v; want %v", weights, v.s.Tables[weights].Scope, r.Vars)
	}
}

// lower returns the row, in which the drawn variables loop and the others are fixed at their
// states.
func (r *RowOp) lower(l *Lowering) Row {
	var fixed []model.VarID
	for _, t := range r.In {
		fixed = append(fixed, l.schedule.Tables[t].Scope...)
	}
	for _, tree := range r.Trees {
		fixed = append(fixed, l.schedule.Model.Factors[tree.Factor].Scope...)
	}
	slices.Sort(fixed)
	fixed = slices.DeleteFunc(slices.Compact(fixed), func(v model.VarID) bool { return slices.Contains(r.Vars, v) })
	row := Row{Axes: l.axes(l.axes(nil, r.Vars, AxisOut), fixed, AxisFixed)}
	row.In = l.views(r.In, row.Axes)
	for _, tree := range r.Trees {
		row.Trees = append(row.Trees, TreeView{Leaves: l.Span(tree.Leaves), Child: tree.Child, Nodes: tree.Nodes})
	}
	return row
}
