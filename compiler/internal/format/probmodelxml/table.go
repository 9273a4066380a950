package probmodelxml

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// maxTable bounds the numbers in all tables together that the file does not list.
const maxTable = 1 << 22

// family is a child and its parents while its CPD is made.
type family struct {
	*builder
	child   *node
	refs    []ref   // of the parents
	parents []*node // the same
	state   []int   // of the parents
}

// factor returns the CPD that a potential is. Nil means an error.
func (b *builder) factor(n *node, q *potential) *model.Factor {
	f := &family{builder: b, child: n, refs: q.vars[1:]}
	out := &model.Factor{Child: len(f.refs), Pos: q.pos}
	for _, r := range f.refs {
		p := b.byName[r.name]
		switch {
		case b.declared[r.id] == nil || p == nil:
			b.Errorf(r.pos, "found %s; want a chance variable or a decision of this slice", text.Quote(r.name))
			return nil
		case r.slice > max(0, q.vars[0].slice):
			b.Errorf(r.pos, "found a parent %s in a later slice; want one of this slice or the one before", text.Quote(r.name))
			return nil
		}
		v := p.ID
		if b.next != nil && r.slice == 0 && q.vars[0].slice == 1 {
			v = b.before(p)
		}
		f.parents, out.Scope = append(f.parents, p), append(out.Scope, v)
	}
	f.state = make([]int, len(f.parents))
	out.Scope = append(out.Scope, n.ID)
	if !f.check(q) {
		return nil
	}
	if q.kind == "ICIModel" && q.model == "OR/MAX" {
		out.Dist = f.noisyMax(q)
		return out
	}
	size := len(n.states)
	for _, p := range f.parents {
		if size *= len(p.states); size > maxTable {
			break
		}
	}
	if b.numbers += size; b.numbers > maxTable && !table(q) || size > b.most {
		b.Errorf(q.pos, "the tables up to that of %s would have more than %d numbers; want fewer parents", text.Quote(n.name), min(maxTable, b.most))
		return nil
	}
	d := &model.Table{}
	for more := true; more; more = f.advance() {
		row := make([]float64, len(n.states))
		pos := f.row(q, row)
		if b.HasErrors() {
			return nil
		}
		d.Values, out.RowPos = append(d.Values, row...), append(out.RowPos, pos)
	}
	out.Dist = d
	return out
}

// advance goes to the next joint state of the parents; the last parent is fastest.
func (f *family) advance() bool {
	for i := len(f.state) - 1; i >= 0; i-- {
		if f.state[i]++; f.state[i] < len(f.parents[i].states) {
			return true
		}
		f.state[i] = 0
	}
	return false
}

// table reports whether a potential lists its numbers.
func table(q *potential) bool { return q.kind == "Table" || q.kind == "ProbTable" }

// find returns the place of a variable among the parents, or -1.
func (f *family) find(r ref) int {
	return slices.IndexFunc(f.refs, func(p ref) bool { return p.id == r.id })
}

// check checks a potential, and those in it, against the family.
func (f *family) check(q *potential) bool {
	name := text.Quote(f.child.name)
	if len(q.vars) > 0 && q.vars[0].name != f.child.name {
		f.Errorf(q.vars[0].pos, "found %s; want %s, the child", text.Quote(q.vars[0].name), name)
		return false
	}
	switch {
	case table(q):
		return f.checkTable(q)
	case q.kind == "Uniform":
		return true
	case q.kind == "Delta":
		if q.hasNumber || !slices.Contains(f.child.states, q.state) {
			f.Errorf(q.pos, "found a Delta at %s; want a state of %s", text.Quote(q.state), name)
			return false
		}
		return true
	case q.kind == "Tree/ADD":
		if f.find(q.top) < 0 {
			f.Errorf(q.pos, "found a tree of %s on %s; want one on a parent", name, text.Quote(q.top.name))
			return false
		}
		for _, b := range q.branches {
			if b.interval != (f.byName[q.top.name].numbers != nil) {
				f.Errorf(b.pos, "found a branch on %s; want thresholds of a number, or else states", text.Quote(q.top.name))
				return false
			}
			if !f.check(b.potential) {
				return false
			}
		}
		return true
	case q.kind == "ICIModel" && (q.model == "OR/MAX" || q.model == "AND/MIN"):
		return f.checkParts(q)
	}
	kind := q.kind + " " + q.model
	if q.model == "" {
		kind = q.kind
	}
	f.Errorf(q.pos, "the potential of %s is of the type %s; want Table, Uniform, Delta, Tree/ADD, SameAsPrevious, or ICIModel with OR / MAX or AND / MIN", name, text.Quote(kind))
	return false
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
		if f.parents[i].numbers != nil {
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

// row sets the distribution of the child given the state of the parents. It returns where that is
// in the file.
func (f *family) row(q *potential, out []float64) diag.Pos {
	switch {
	case table(q):
		at := 0
		for i, s := range f.state {
			at += s * q.strides[i]
		}
		copy(out, q.values[at:])
		return f.dec.Pos(q.offsets[at])
	case q.kind == "Delta":
		out[slices.Index(f.child.states, q.state)] = 1
	case q.kind == "Tree/ADD":
		for _, b := range q.branches {
			if f.takes(q, b) {
				return f.row(b.potential, out)
			}
		}
		i := f.find(q.top)
		f.Errorf(q.pos, "a tree of %s has no branch for %s; want one for each state of %s", text.Quote(f.child.name), text.Quote(f.parents[i].states[f.state[i]]), text.Quote(q.top.name))
	case q.kind == "ICIModel":
		f.combine(q, out)
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
