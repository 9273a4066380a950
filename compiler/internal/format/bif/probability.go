package bif

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// cpd is a probability block as the file gives it.
type cpd struct {
	pos    diag.Pos
	scope  []model.VarID // parents in the order of the header, then the child
	card   int           // of the child
	max    bool          // property function max
	rows   []row
	labels []int32        // of all rows, one for each parent
	values []float64      // of all rows and tables
	def    []float64      // the default row, or nil
	defPos diag.Pos       // of its first number
	alike  map[string]int // how often a label that stands for several rows was read; see [parser.twins]
	warned bool           // of such a label
}

// row is a labelled row, or a flat table in the order of the header.
type row struct {
	pos    diag.Pos // of the first number
	flat   bool
	labels int        // index of its first label in cpd.labels
	values int        // index of its first number in cpd.values
	starts []diag.Pos // of the numbers of a flat table that start a row
}

func (b *cpd) child() model.VarID     { return b.scope[len(b.scope)-1] }
func (b *cpd) parents() []model.VarID { return b.scope[:len(b.scope)-1] }

// label returns the states of the parents in row r.
func (b *cpd) label(r row) []int32 { return b.labels[r.labels : r.labels+len(b.scope)-1] }

// probability reads `probability ( child | parents ) { items }` and adds its factor.
func (p *parser) probability() bool {
	b := &cpd{pos: p.tok.pos}
	p.advance()
	if !p.header(b) {
		return false
	}
	for p.tok.kind != '}' {
		if !p.item(b) {
			return false
		}
	}
	f := &model.Factor{Scope: b.scope, Child: len(b.scope) - 1, Pos: b.pos}
	var ok bool
	if b.max && len(b.scope) > 1 {
		f.Dist, f.RowPos, ok = p.noisyMax(b)
	} else {
		f.Dist, f.RowPos, ok = p.table(b)
	}
	if ok {
		p.add(f)
	}
	return ok
}

// header reads `( child | parents ) {`.
func (p *parser) header(b *cpd) bool {
	if !p.punct('(') {
		return false
	}
	seen := map[model.VarID]bool{}
	for p.atName() {
		v, ok := p.byName[p.tok.text]
		if !ok {
			return p.fail("a variable that is declared")
		}
		if seen[v] {
			return p.fail("each variable once")
		}
		seen[v] = true
		p.mentioned[v] = true
		b.scope = append(b.scope, v)
		p.advance()
	}
	if len(b.scope) == 0 {
		return p.fail("the variable")
	}
	if p.tok.kind != ')' {
		return p.fail(`a variable or ")"`)
	}
	p.advance()
	b.scope = append(b.scope[1:], b.scope[0])
	b.card = p.m.Card(b.child())
	return p.punct('{')
}

// item reads a row, a table, a default or a property.
func (p *parser) item(b *cpd) bool {
	switch {
	case p.tok.kind == '(':
		return p.labelled(b)
	case p.tok.is("table"):
		p.advance()
		return p.flat(b)
	case p.tok.is("default"):
		return p.def(b)
	case p.tok.is("property"):
		pos := p.tok.pos
		key, value := setting(p.property())
		p.advance()
		if key != "function" {
			return true
		}
		if value != "max" {
			p.Errorf(pos, `found the function %s; want "max" or no function`, text.Quote(value))
			return false
		}
		b.max, p.max = true, true
		return true
	}
	return p.fail(`a row, "table", "default", "property" or "}"`)
}

// labelled reads `(states of the parents) numbers;`.
func (p *parser) labelled(b *cpd) bool {
	pos := p.tok.pos
	p.advance()
	parents, labels := b.parents(), len(b.labels)
	n := 0
	for ; p.atName(); n++ {
		if n < len(parents) {
			s, ok := p.states[parents[n]][p.tok.text]
			if !ok {
				return p.fail(p.stateOf(parents[n]))
			}
			b.labels = append(b.labels, s)
		}
		p.advance()
	}
	if p.tok.kind != ')' {
		return p.fail(`a state or ")"`)
	}
	if n != len(parents) {
		p.Errorf(pos, "row names %d states; want %d, one for each parent", n, len(parents))
		return false
	}
	p.advance()
	if !p.twins(b, pos, b.labels[labels:]) {
		return false
	}
	b.rows = append(b.rows, row{pos: p.tok.pos, labels: labels, values: len(b.values)})
	return p.numbers(&b.values, b.card, "one for each state of", b, nil)
}

// stateOf lists the states of v for a message and shortens a long list.
func (p *parser) stateOf(v model.VarID) string {
	const most = 8
	names := make([]string, 0, most)
	states := p.m.States(v)
	for _, s := range states[:min(most, len(states))] {
		names = append(names, text.Quote(s))
	}
	list := fmt.Sprintf("a state of %s: %s", text.Quote(p.m.Vars[v].Name), strings.Join(names, ", "))
	if len(states) > most {
		list += fmt.Sprintf(" and %d more", len(states)-most)
	}
	return list
}

// flat reads the numbers of a table.
func (p *parser) flat(b *cpd) bool {
	n, ok := p.size(b)
	if !ok {
		return false
	}
	b.rows = append(b.rows, row{pos: p.tok.pos, flat: true, values: len(b.values)})
	if len(b.scope) == 1 {
		return p.numbers(&b.values, n, "one for each state of", b, nil)
	}
	return p.numbers(&b.values, n, "one for each joint state of the parents and", b, &b.rows[len(b.rows)-1].starts)
}

// def reads `default numbers;`.
func (p *parser) def(b *cpd) bool {
	if b.def != nil {
		p.Warnf(p.tok.pos, "second default row for %s; it replaces the first, at %v", text.Quote(p.m.Vars[b.child()].Name), b.defPos)
	}
	p.advance()
	b.def, b.defPos = []float64{}, p.tok.pos
	return p.numbers(&b.def, b.card, "one for each state of", b, nil)
}

// numbers appends n numbers to to and consumes the ";" after them. If starts is not nil, it also
// records the positions of the first numbers, one for each row.
func (p *parser) numbers(to *[]float64, n int, why string, b *cpd, starts *[]diag.Pos) bool {
	rows := 0
	if starts != nil {
		rows = n / b.card
	}
	got := 0
	for ; p.tok.kind == word; got++ {
		if got == n {
			p.Errorf(p.tok.pos, "found more than %d numbers; want %d, %s %s", n, n, why, text.Quote(p.m.Vars[b.child()].Name))
			return false
		}
		x, ok := p.number()
		if !ok {
			return false
		}
		if got < rows {
			*starts = append(*starts, p.tok.pos)
		}
		*to = append(*to, x)
		p.advance()
	}
	if p.tok.kind != ';' {
		return p.fail(`a number or ";"`)
	}
	if got != n {
		p.Errorf(p.tok.pos, "found %d numbers; want %d, %s %s", got, n, why, text.Quote(p.m.Vars[b.child()].Name))
		return false
	}
	p.advance()
	return true
}

// number returns the value of the current word.
func (p *parser) number() (x float64, ok bool) {
	x, err := text.Entry(p.tok.text)
	if err != nil {
		return 0, p.fail(err.Error())
	}
	return x, true
}
