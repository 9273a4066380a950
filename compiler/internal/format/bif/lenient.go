package bif

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// This file repairs networks in circulation that contradict themselves. Each repair warns. Each
// requires enough evidence that a file that is merely damaged is still refused.

// twin is a state with the same name as one before it.
type twin struct {
	first, second int32
	pos           diag.Pos // of the second
}

// isTwin reports whether a state called name may be the second of two states with that name. It may
// if the name contains "__": converters write it for characters that BIF cannot hold, so that two
// different names can become equal.
func isTwin(name string) bool { return strings.Contains(name, "__") }

// rename gives the second state of each twin a name that no other state has.
func (p *parser) rename(variable string, states []string, twins []twin) {
	taken := make(map[string]bool, len(states))
	for _, s := range states {
		taken[s] = true
	}
	for _, t := range twins {
		old := states[t.first]
		n := 2
		for taken[old+strconv.Itoa(n)] {
			n++
		}
		fresh := old + strconv.Itoa(n)
		taken[fresh] = true
		states[t.second] = fresh
		p.Warnf(t.pos, "variable %s has two states called %s; the second is renamed to %s", text.Quote(variable), text.Quote(old), text.Quote(fresh))
	}
}

// twins resolves states in label that share their name with a second state. Of the rows with equal
// labels, the first belongs to the first state and the next to the second. If several parents have
// such a state, the last parent is fastest.
func (p *parser) twins(b *cpd, pos diag.Pos, label []int32) bool {
	if !p.hasTwin(b, label) {
		return true
	}
	if b.alike == nil {
		b.alike = map[string]int{}
	}
	name, key := p.rowName(b, label), fmt.Sprint(label)
	before := b.alike[key]
	b.alike[key]++
	if !p.count(b, label, before) {
		p.Errorf(pos, "too many rows are labelled %s; want one for each of the states with that name", name)
		return false
	}
	if before > 0 && !b.warned {
		b.warned = true
		p.Warnf(pos, "second row labelled %s in the %s; it is taken for %s, and further ones likewise", name, p.what(b), p.rowName(b, label))
	}
	return true
}

// hasTwin reports whether a state in label shares its name with a second one.
func (p *parser) hasTwin(b *cpd, label []int32) bool {
	if len(p.second) == 0 {
		return false
	}
	for axis, s := range label {
		if _, ok := p.second[b.scope[axis]][s]; ok {
			return true
		}
	}
	return false
}

// count writes n as a binary number over the states in label that have a second one, which stands
// for the digit 1. It reports whether n fits.
func (p *parser) count(b *cpd, label []int32, n int) bool {
	for axis := len(label) - 1; axis >= 0 && n > 0; axis-- {
		if second, ok := p.second[b.scope[axis]][label[axis]]; ok {
			if n&1 == 1 {
				label[axis] = second
			}
			n >>= 1
		}
	}
	return n == 0
}

// misplaced repairs at, which holds the index of the row that the label of each of b's rows names.
// It moves a row to its place in the file if its label repeats that of another row and the row of
// that place is missing. All other rows must be there and in order; see [parser.slip].
func (p *parser) misplaced(b *cpd, at []int, rows int) {
	if b.def != nil || len(at) != rows {
		return
	}
	var slips []int
	for k, i := range at {
		if i == k {
			continue
		}
		if i == flatRow || at[i] != i || !p.slip(b, k, i) {
			return
		}
		slips = append(slips, k)
	}
	for _, k := range slips {
		r := b.rows[k]
		p.Warnf(r.pos, "row in the %s is labelled %s, as the row at %v is, and is in the place of %s, which is missing; it is read as that row",
			p.what(b), p.rowName(b, b.label(r)), b.rows[at[k]].pos, p.rowName(b, p.labelOf(b, k)))
		at[k] = k
	}
}

// slip reports whether row k may carry the label of row i by mistake: both labels share a state of
// some parent and differ in one parent only. The rows must not be neighbours, because then a
// duplicated line and a lost next line are as likely.
func (p *parser) slip(b *cpd, k, i int) bool {
	want, got := p.labelOf(b, k), p.labelOf(b, i)
	differ := 0
	for axis := range want {
		if want[axis] != got[axis] {
			differ++
		}
	}
	return len(want) > 1 && differ == 1 && i != k-1 && i != k+1
}

// add adds the factor of a probability block. A block with parents replaces an earlier block
// without parents for the same variable. [model.Model.Check] reports any other second block.
func (p *parser) add(f *model.Factor) {
	v := f.ChildVar()
	at, ok := p.factor[v]
	if ok && len(f.Scope) > 1 && len(p.m.Factors[at].Scope) == 1 {
		p.Warnf(f.Pos, "second probability block for %s, with parents; it replaces the first, without, at %v",
			text.Quote(p.m.Vars[v].Name), p.m.Factors[at].Pos)
		p.m.Factors[at] = f
		return
	}
	p.factor[v] = len(p.m.Factors)
	p.m.Factors = append(p.m.Factors, f)
}

// unmentioned adds a uniform root for the variable that no probability block mentions, if there is
// one such variable and the file has noisy-max blocks: a tool that writes noisy-max blocks leaves
// one out. [model.Model.Check] reports all other missing blocks, which a truncated file would have
// too.
func (p *parser) unmentioned() {
	var found []*model.Var
	for _, v := range p.m.Vars {
		if !p.mentioned[v.ID] {
			found = append(found, v)
		}
	}
	if !p.max || len(found) != 1 {
		return
	}
	v := found[0]
	p.Warnf(v.Pos, "variable %s is in no probability block; it becomes a root with equal probabilities", text.Quote(v.Name))
	p.add(&model.Factor{
		Scope:  []model.VarID{v.ID},
		Dist:   &model.Table{Values: uniform(p.m.Card(v.ID))},
		Pos:    v.Pos,
		RowPos: []diag.Pos{v.Pos},
	})
}

// uniform returns n equal probabilities.
func uniform(n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = 1 / float64(n)
	}
	return values
}
