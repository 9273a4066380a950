package dsc

import (
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/internal/cpt"
	"github.com/pgmc-go/pgmc/compiler/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// parser reads all blocks and then builds the CPDs. It stops at the first error of syntax.
type parser struct {
	lexer
	diag.List
	opt    format.ReadOptions
	tok    token // the current one
	m      *model.Model
	byName map[string]model.VarID
	tables []*table
}

// table is a probability block: rows in any order, with the states of the parents.
type table struct {
	cpt.Table
	rows []row
}

// row is a row of a table, whose numbers are Values[from:to].
type row struct {
	off      int
	states   []int
	from, to int
}

func read(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := &parser{
		lexer:  newLexer(src.Name, string(src.Data)),
		opt:    opt.WithDefaults(),
		m:      &model.Model{Kind: model.Bayes, File: src.Name},
		byName: map[string]model.VarID{},
	}
	p.advance()
	if !p.network() {
		return nil, p.List
	}
	file := cpt.File{Model: p.m, Names: p.byName, Pos: p.pos, MaxEntries: p.opt.MaxEntries, List: &p.List}
	for _, t := range p.tables {
		if !p.sort(&file, t) {
			continue
		}
		if f, ok := file.Factor(&t.Table); ok {
			p.m.Factors = append(p.m.Factors, f)
		}
	}
	return p.m, p.List
}

func (p *parser) advance() { p.tok = p.next() }

// fail reports the current token. It returns false.
func (p *parser) fail(want string) bool {
	p.Errorf(p.pos(p.tok.off), "found %v; want %s", p.tok, want)
	return false
}

// punct consumes some punctuation.
func (p *parser) punct(kinds string) bool {
	for i := range len(kinds) {
		if p.tok.kind != kinds[i] {
			return p.fail(text.Quote(kinds[i : i+1]))
		}
		p.advance()
	}
	return true
}

// keyword consumes words.
func (p *parser) keyword(words ...string) bool {
	for _, w := range words {
		if p.tok.kind != word || p.tok.text != w {
			return p.fail(text.Quote(w))
		}
		p.advance()
	}
	return true
}

// name consumes a word or a string.
func (p *parser) name(want string) (t token, ok bool) {
	if p.tok.kind != word && p.tok.kind != quoted {
		return p.tok, p.fail(want)
	}
	t = p.tok
	t.text = strings.Clone(t.text)
	p.advance()
	return t, true
}

// network reads the whole file.
func (p *parser) network() bool {
	if !p.keyword("belief", "network") {
		return false
	}
	name, ok := p.name("the name of the network")
	if !ok {
		return false
	}
	if strings.ContainsAny(name.text, " \t") {
		p.Errorf(p.pos(name.off), "found the network %s; want a name without blanks", text.Quote(name.text))
		return false
	}
	p.m.Name = name.text
	for p.tok.kind != end {
		switch {
		case p.tok.kind == word && p.tok.text == "node":
			ok = p.node()
		case p.tok.kind == word && p.tok.text == "probability":
			ok = p.probability()
		default:
			ok = p.fail(`"node" or "probability"`)
		}
		if !ok {
			return false
		}
	}
	if len(p.m.Vars) == 0 {
		return p.fail("a node")
	}
	return true
}

// node reads `node NAME { type : discrete [ N ] = { "a", "b" }; }`.
func (p *parser) node() bool {
	p.advance()
	name, ok := p.name("the name of a node")
	if !ok || !p.punct("{") {
		return false
	}
	if first, dup := p.byName[name.text]; dup {
		p.Errorf(p.pos(name.off), "node %s is declared twice; first at %v", text.Quote(name.text), p.m.Vars[first].Pos)
		return false
	}
	v := p.m.NewVar(name.text)
	v.Pos = p.pos(name.off)
	p.byName[v.Name] = v.ID
	for p.tok.kind == word {
		if p.tok.text != "type" {
			if !p.skip() {
				return false
			}
			continue
		}
		p.advance()
		if !p.punct(":") || !p.keyword("discrete") || !p.punct("[") || !p.states(v) {
			return false
		}
	}
	return p.punct("}")
}

// states reads `N ] = { "a", "b" };`.
func (p *parser) states(v *model.Var) bool {
	n, err := strconv.ParseUint(p.tok.text, 10, 31)
	if p.tok.kind != word || err != nil {
		return p.fail("the number of states")
	}
	at := p.tok.off
	p.advance()
	if !p.punct("]={") {
		return false
	}
	var states []string
	for {
		s, ok := p.name("the name of a state")
		if !ok {
			return false
		}
		states = append(states, s.text)
		if p.tok.kind != ',' {
			break
		}
		p.advance()
	}
	if uint64(len(states)) != n {
		p.Errorf(p.pos(at), "found %d states of %s; want %d", len(states), text.Quote(v.Name), n)
		return false
	}
	v.Domain = model.Discrete{States: states}
	return p.punct("};")
}

// skip skips a property up to its semicolon.
func (p *parser) skip() bool {
	for p.advance(); p.tok.kind != ';'; p.advance() {
		if p.tok.kind == end || p.tok.kind == '{' || p.tok.kind == '}' {
			return p.fail(`";"`)
		}
	}
	p.advance()
	return true
}

// probability reads `probability ( X | P, Q ) { rows }`.
func (p *parser) probability() bool {
	t := &table{}
	t.Pos = p.pos(p.tok.off)
	p.advance()
	if !p.punct("(") {
		return false
	}
	child, ok := p.name("the name of a node")
	if !ok {
		return false
	}
	t.Child = cpt.Name{Text: child.text, Pos: p.pos(child.off)}
	for separator := byte('|'); p.tok.kind == separator; separator = ',' {
		p.advance()
		parent, ok := p.name("the name of a node")
		if !ok {
			return false
		}
		t.Parents = append(t.Parents, cpt.Name{Text: parent.text, Pos: p.pos(parent.off)})
	}
	if !p.punct("){") {
		return false
	}
	for p.tok.kind != '}' {
		if !p.row(t) {
			return false
		}
	}
	t.End = p.pos(p.tok.off)
	p.advance()
	p.tables = append(p.tables, t)
	return true
}

// row reads `(0, 1) : 0.5, 0.5;`, without the states for a root.
func (p *parser) row(t *table) bool {
	r := row{off: p.tok.off, from: len(t.Values)}
	if p.tok.kind == '(' || len(t.Parents) > 0 {
		if !p.labels(&r) {
			return false
		}
	}
	for {
		x, err := text.Number(p.tok.text)
		if p.tok.kind != word || err != nil {
			return p.fail("a number")
		}
		if len(t.Values) == p.opt.MaxEntries {
			return p.fail("at most " + strconv.Itoa(p.opt.MaxEntries) + " numbers")
		}
		t.Values, t.Offsets = append(t.Values, x), append(t.Offsets, p.tok.off)
		p.advance()
		if p.tok.kind != ',' {
			break
		}
		p.advance()
	}
	r.to = len(t.Values)
	t.rows = append(t.rows, r)
	return p.punct(";")
}

// labels reads `(0, 1) :`.
func (p *parser) labels(r *row) bool {
	if !p.punct("(") {
		return false
	}
	for {
		s, err := strconv.ParseUint(p.tok.text, 10, 31)
		if p.tok.kind != word || err != nil {
			return p.fail("the number of a state")
		}
		r.states = append(r.states, int(s))
		p.advance()
		if p.tok.kind != ',' {
			break
		}
		p.advance()
	}
	return p.punct("):")
}

// sort puts the rows of a table in the order of the joint states of the parents.
func (p *parser) sort(file *cpt.File, t *table) bool {
	f, ok := file.Family(&t.Table)
	if !ok {
		return false
	}
	parents := f.Parents()
	n, fits := p.m.TableSize(parents)
	if card := p.m.Card(f.ChildVar()); !fits || n != len(t.rows) || card == 0 {
		p.Errorf(t.End, "found %d rows; want %d, one for each joint state of the parents of %s", len(t.rows), n, text.Quote(t.Child.Text))
		return false
	}
	order := make([]*row, n)
	for i := range t.rows {
		r := &t.rows[i]
		at, right := 0, len(r.states) == len(parents)
		for k := 0; right && k < len(parents); k++ {
			card := p.m.Card(parents[k])
			right = r.states[k] < card
			at = at*card + r.states[k]
		}
		switch {
		case !right:
			p.Errorf(p.pos(r.off), "found the states %v; want the number of a state for each parent of %s", r.states, text.Quote(t.Child.Text))
			return false
		case order[at] != nil:
			p.Errorf(p.pos(r.off), "found a second row for the states %v; the first is at %v", r.states, p.pos(order[at].off))
			return false
		case r.to-r.from != p.m.Card(f.ChildVar()):
			p.Errorf(p.pos(r.off), "found %d numbers; want %d, one for each state of %s", r.to-r.from, p.m.Card(f.ChildVar()), text.Quote(t.Child.Text))
			return false
		}
		order[at] = r
	}
	var values []float64
	var offsets []int
	for _, r := range order {
		values, offsets = append(values, t.Values[r.from:r.to]...), append(offsets, t.Offsets[r.from:r.to]...)
	}
	t.Values, t.Offsets = values, offsets
	return true
}
