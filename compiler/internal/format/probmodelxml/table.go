package probmodelxml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// maxTable bounds the numbers in all tables together that the file does not list.
const maxTable = 1 << 22

// family is a child and its parents while its CPD, its value or a utility is made.
type family struct {
	*builder
	what    what
	child   *node
	at      int     // the slice of the child
	refs    []ref   // of the parents
	parents []*node // the same
	state   []int   // of the parents

	names  []named       // of the parents, in expressions
	scope  *model.Factor // of terms: the parents, by number
	values []float64     // of the parents, for terms
	buf    []float64     // of terms
}

// what is made of a family.
type what int

const (
	states  what = iota // a distribution over states
	number              // the value of a numeric variable
	utility             // a utility
)

// family returns the family of a potential, or nil after an error.
func (b *builder) family(w what, child *node, q *potential) *family {
	f := &family{builder: b, what: w, child: child, at: q.vars[0].slice, refs: q.vars[1:]}
	for _, r := range f.refs {
		p := b.byName[r.name]
		switch {
		case b.declared[r.id] == nil || p == nil:
			b.Errorf(r.pos, "found %s; want a chance variable or a decision of this slice", text.Quote(r.name))
			return nil
		case r.slice > max(0, f.at):
			b.Errorf(r.pos, "found a parent %s in a later slice; want one of this slice or the one before", text.Quote(r.name))
			return nil
		}
		f.parents = append(f.parents, p)
	}
	f.state = make([]int, len(f.parents))
	return f
}

// slice returns the slice of a parent if that of the child is t.
func (f *family) slice(parent, t int) int {
	if f.refs[parent].slice == 0 && f.at == 1 {
		return t - 1
	}
	return t
}

// variables returns the parents in the model.
func (f *family) variables() (list []model.VarID) {
	for i, p := range f.parents {
		v := p.ID
		if b := f.builder; b.next != nil && f.slice(i, 0) < 0 {
			v = b.before(p)
		}
		list = append(list, v)
	}
	return list
}

// factor returns the CPD that a potential is. Nil means an error.
func (b *builder) factor(n *node, q *potential) *model.Factor {
	f := b.family(states, n, q)
	if f == nil {
		return nil
	}
	out := &model.Factor{Child: len(f.refs), Scope: append(f.variables(), n.ID), Pos: q.pos}
	if n.numbers != nil && q.kind != "Uniform" {
		f.what, f.child = number, &node{name: n.name, states: []string{n.name}}
	}
	size := len(f.child.states)
	switch {
	case !f.check(q):
		return nil
	case q.kind == "ICIModel" && q.model == "OR/MAX":
		out.Dist = f.noisyMax(q)
		return out
	case !f.fits(q, &size):
		b.Errorf(q.pos, "the tables up to that of %s would have more than %d numbers; want fewer parents", text.Quote(n.name), min(maxTable, b.most))
		return nil
	case f.what == number:
		out.Dist = f.function(n, q)
	default:
		out.Dist, out.RowPos = f.table(q)
	}
	return out
}

// fits counts the numbers of a table and reports whether they are not too many. Size is that of a
// row at first.
func (f *family) fits(q *potential, size *int) bool {
	for _, p := range f.parents {
		if *size *= len(p.states); *size > maxTable {
			break
		}
	}
	f.numbers += *size
	return (f.numbers <= maxTable || table(q)) && *size <= f.most
}

// function returns the CPD of a numeric variable, whose state is a function of its parents'. The
// value may be no state if the parents cannot have theirs in the same slice, or after the last one.
func (f *family) function(n *node, q *potential) *model.Deterministic {
	d := &model.Deterministic{}
	for more := true; more && !f.HasErrors(); more = f.advance() {
		d.States = append(d.States, n.nearest(f.value(q)))
	}
	return d
}

// table returns the CPD of a variable with states, and where its rows are.
func (f *family) table(q *potential) (*model.Table, []diag.Pos) {
	d, places := &model.Table{}, []diag.Pos(nil)
	for more := true; more && !f.HasErrors(); more = f.advance() {
		row := make([]float64, len(f.child.states))
		pos := f.row(q, row)
		d.Values, places = append(d.Values, row...), append(places, pos)
	}
	return d, places
}

// advance goes to the next joint state of the parents; the last parent is fastest.
func (f *family) advance() bool {
	return advance(f.state, func(i int) int { return len(f.parents[i].states) })
}

// advance goes to the next list of numbers below sizes; the last number is fastest.
func advance(list []int, size func(i int) int) bool {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i]++; list[i] < size(i) {
			return true
		}
		list[i] = 0
	}
	return false
}

// table reports whether a potential lists its numbers.
func table(q *potential) bool { return q.kind == "Table" || q.kind == "ProbTable" }

// find returns the place of a variable among the parents, or -1.
func (f *family) find(r ref) int {
	return slices.IndexFunc(f.refs, func(p ref) bool { return p.id == r.id })
}

// kinds names the potentials of which something can be made.
var kinds = map[what]string{
	states:  "Table, Uniform, Delta, Tree/ADD, SameAsPrevious, Hazard (Weibull), Hazard (Exponential), or ICIModel with OR / MAX or AND / MIN",
	number:  "Delta with a number, CycleLengthShift, Linear combination, Exponential, Sum, Product, Function or Tree/ADD, or Uniform for a given one",
	utility: "Table, Uniform, Tree/ADD, Linear combination, Exponential, Sum, Product or Function",
}

// takes reports whether a potential is of a kind of which w can be made.
func (w what) takes(q *potential) bool {
	switch {
	case q.kind == "Tree/ADD":
		return true
	case w == states:
		return table(q) || q.kind == "Uniform" || q.kind == "Delta" && !q.hasNumber || q.hazard() || q.kind == "ICIModel" && (q.model == "OR/MAX" || q.model == "AND/MIN")
	case w == number && (q.kind == "Delta" && q.hasNumber || q.kind == "CycleLengthShift"), w == utility && (table(q) || q.kind == "Uniform"):
		return true
	}
	return q.calculates() && !q.hazard()
}

// unknown reports a potential of which w cannot be made.
func (b *builder) unknown(child string, w what, q *potential) {
	kind := strings.TrimSpace(q.kind + " " + q.model)
	b.Errorf(q.pos, "the potential of %s is of the type %s; want %s", text.Quote(child), text.Quote(kind), kinds[w])
}

// types reports the potentials of types that cannot be read, each by its first one.
func (b *builder) types() {
	for _, q := range b.parser.potentials {
		if b.about(q) || b.byName[q.vars[0].name] == nil || q.kind == "SameAsPrevious" {
			continue
		}
		n, w := b.byName[q.vars[0].name], states
		if n.first.kind == "numeric" {
			w = number
		}
		if bad := q.find(func(x *potential) bool { return !w.takes(x) }); bad != nil && !(w == number && q.kind == "Uniform") {
			b.unknown(n.name, w, bad)
		}
	}
}

// check checks a potential, and those in it, against the family.
func (f *family) check(q *potential) bool {
	name := text.Quote(f.child.name)
	switch {
	case len(q.vars) > 0 && q.vars[0].name != f.child.name:
		f.Errorf(q.vars[0].pos, "found %s; want %s, the child", text.Quote(q.vars[0].name), name)
		return false
	case !f.what.takes(q):
		f.unknown(f.child.name, f.what, q)
		return false
	case table(q):
		return f.checkTable(q)
	case q.kind == "Delta" && !q.hasNumber && !slices.Contains(f.child.states, q.state):
		f.Errorf(q.pos, "found a Delta at %s; want a state of %s", text.Quote(q.state), name)
		return false
	case q.kind == "CycleLengthShift":
		if len(q.vars) != 2 || f.find(q.vars[1]) < 0 || f.byName[q.vars[1].name].first.kind != "numeric" {
			f.Errorf(q.pos, "found a CycleLengthShift of %s; want a number, its parent, to which a cycle is added", name)
			return false
		}
	case q.kind == "Tree/ADD":
		return f.checkTree(q)
	case q.kind == "ICIModel":
		return f.checkParts(q)
	case q.calculates():
		return f.compile(q)
	}
	return true
}

// checkTree checks the branches of a tree.
func (f *family) checkTree(q *potential) bool {
	name := text.Quote(f.child.name)
	if f.find(q.top) < 0 {
		f.Errorf(q.pos, "found a tree of %s on %s; want one on a parent", name, text.Quote(q.top.name))
		return false
	}
	for _, b := range q.branches {
		if b.interval != (f.byName[q.top.name].first.kind == "numeric") {
			f.Errorf(b.pos, "found a branch on %s; want thresholds of a number, or else states", text.Quote(q.top.name))
			return false
		}
		if !f.check(b.potential) {
			return false
		}
	}
	return true
}

// checkTable checks the variables of a table and the number of its numbers.
func (f *family) checkTable(q *potential) bool {
	if q.strides != nil {
		return true
	}
	q.strides = make([]int, len(f.refs))
	size := len(f.child.states)
	for _, r := range q.vars[min(1, len(q.vars)):] {
		i := f.find(r)
		if i < 0 || q.strides[i] != 0 {
			f.Errorf(r.pos, "found %s in a table of %s; want each of its parents once", text.Quote(r.name), text.Quote(f.child.name))
			return false
		}
		if f.parents[i].first.kind == "numeric" {
			continue // a table cannot depend on a number
		}
		q.strides[i] = size
		if size *= len(f.parents[i].states); size > f.most {
			break
		}
	}
	if len(q.values) != size {
		f.Errorf(q.pos, "found %d numbers in a table of %s; want %d, one for each joint state of its variables", len(q.values), text.Quote(f.child.name), size)
		return false
	}
	return true
}

// entry returns the place of the first number of a table given the state of the parents.
func (f *family) entry(q *potential) (at int) {
	for i, s := range f.state {
		at += s * q.strides[i]
	}
	return at
}

// branch returns the potential in the branch of a tree that holds the state of the parents, or nil
// after an error. A number may have states after the last slice of the file, of which trees say
// nothing; these are uniform.
func (f *family) branch(q *potential) *potential {
	for _, b := range q.branches {
		if f.takes(q, b) {
			return b.potential
		}
	}
	name, state, top := text.Quote(f.child.name), text.Quote(f.stateName(f.find(q.top))), text.Quote(q.top.name)
	switch {
	case f.possible():
		f.Errorf(q.pos, "a tree of %s has no branch for %s; want one for each state of %s", name, state, top)
		return nil
	case !q.partial:
		f.Warnf(q.pos, "a tree of %s has no branch for %s, which %s has in no slice of the file; it is uniform there", name, state, top)
		q.partial = true
	}
	return &potential{kind: "Uniform"}
}

// row sets the distribution of the child given the state of the parents. It returns where that is
// in the file.
func (f *family) row(q *potential, out []float64) diag.Pos {
	switch {
	case table(q):
		at := f.entry(q)
		copy(out, q.values[at:])
		return f.dec.Pos(q.offsets[at])
	case q.kind == "Delta":
		out[slices.Index(f.child.states, q.state)] = 1
	case q.kind == "Tree/ADD":
		if b := f.branch(q); b != nil {
			return f.row(b, out)
		}
	case q.kind == "ICIModel":
		f.combine(q, out)
	case q.hazard():
		f.hazard(q, out)
	default:
		for i := range out {
			out[i] = 1 / float64(len(out))
		}
	}
	return q.pos
}

// takes reports whether a branch is that of the state of the parents.
func (f *family) takes(q *potential, b *branch) bool {
	i := f.find(q.top)
	p, s := f.parents[i], f.state[i]
	if b.interval {
		return holds(b.low, b.high, p.numbers[s])
	}
	return len(b.states) == 0 || slices.Contains(b.states, p.states[s])
}

// stateName returns the state of a parent, or its number.
func (f *family) stateName(i int) string {
	p, s := f.parents[i], f.state[i]
	if s < len(p.states) {
		return p.states[s]
	}
	return fmt.Sprint(p.numbers[s]) // while the states are found
}

// where names the states of the parents, for messages.
func (f *family) where() (list string) {
	for i, r := range f.refs {
		list += []string{" at ", ", "}[min(i, 1)] + r.name + "=" + f.stateName(i)
	}
	return list
}
