package dsc

import (
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/cpt"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/tokens"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// parser reads all blocks and then builds the CPDs. It stops at the first error of syntax.
type parser struct {
	tokens.Parser
	opt    format.ReadOptions
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
		Parser: tokens.New(src.Name, string(src.Data), false),
		opt:    opt.WithDefaults(),
		m:      &model.Model{Kind: model.Bayes, File: src.Name},
		byName: map[string]model.VarID{},
	}
	if !p.network() {
		return nil, p.List
	}
	file := cpt.File{Model: p.m, Names: p.byName, Pos: p.Pos, ReadOptions: p.opt, List: &p.List}
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

// network reads the whole file.
func (p *parser) network() bool {
	if !p.Keyword("belief", "network") {
		return false
	}
	name, ok := p.Name("the name of the network")
	if !ok {
		return false
	}
	if strings.ContainsAny(name.Text, " \t") {
		p.Errorf(p.Pos(name.Off), "found the network %s; want a name without blanks", text.Quote(name.Text))
		return false
	}
	p.m.Name = name.Text
	for p.Tok.Kind != tokens.End {
		switch {
		case p.Tok.Kind == tokens.Word && p.Tok.Text == "node":
			ok = p.node()
		case p.Tok.Kind == tokens.Word && p.Tok.Text == "probability":
			ok = p.probability()
		default:
			ok = p.Fail(`"node" or "probability"`)
		}
		if !ok {
			return false
		}
	}
	if len(p.m.Vars) == 0 {
		return p.Fail("a node")
	}
	return true
}

// node reads `node NAME { type : discrete [ N ] = { "a", "b" }; }`.
func (p *parser) node() bool {
	p.Advance()
	name, ok := p.Name("the name of a node")
	if !ok || !p.Punct("{") {
		return false
	}
	if first, dup := p.byName[name.Text]; dup {
		p.Errorf(p.Pos(name.Off), "node %s is declared twice; first at %v", text.Quote(name.Text), p.m.Vars[first].Pos)
		return false
	}
	v := p.m.NewVar(name.Text)
	v.Pos = p.Pos(name.Off)
	p.byName[v.Name] = v.ID
	for p.Tok.Kind == tokens.Word {
		if p.Tok.Text != "type" {
			if !p.skip() {
				return false
			}
			continue
		}
		p.Advance()
		if !p.Punct(":") || !p.Keyword("discrete") || !p.Punct("[") || !p.states(v) {
			return false
		}
	}
	return p.Punct("}")
}

// states reads `N ] = { "a", "b" };`.
func (p *parser) states(v *model.Var) bool {
	n, err := strconv.ParseUint(p.Tok.Text, 10, 31)
	if p.Tok.Kind != tokens.Word || err != nil {
		return p.Fail("the number of states")
	}
	at := p.Tok.Off
	p.Advance()
	if !p.Punct("]={") {
		return false
	}
	var states []string
	for {
		s, ok := p.Name("the name of a state")
		if !ok {
			return false
		}
		states = append(states, s.Text)
		if p.Tok.Kind != ',' {
			break
		}
		p.Advance()
	}
	if uint64(len(states)) != n {
		p.Errorf(p.Pos(at), "found %d states of %s; want %d", len(states), text.Quote(v.Name), n)
		return false
	}
	v.Domain = model.Discrete{States: states}
	return p.Punct("};")
}

// skip skips a property up to its semicolon.
func (p *parser) skip() bool {
	for p.Advance(); p.Tok.Kind != ';'; p.Advance() {
		if p.Tok.Kind == tokens.End || p.Tok.Kind == '{' || p.Tok.Kind == '}' {
			return p.Fail(`";"`)
		}
	}
	p.Advance()
	return true
}

// probability reads `probability ( X | P, Q ) { rows }`.
func (p *parser) probability() bool {
	t := &table{}
	t.Pos = p.Pos(p.Tok.Off)
	p.Advance()
	if !p.Punct("(") {
		return false
	}
	child, ok := p.Name("the name of a node")
	if !ok {
		return false
	}
	t.Child = cpt.Name{Text: child.Text, Pos: p.Pos(child.Off)}
	for separator := byte('|'); p.Tok.Kind == separator; separator = ',' {
		p.Advance()
		parent, ok := p.Name("the name of a node")
		if !ok {
			return false
		}
		t.Parents = append(t.Parents, cpt.Name{Text: parent.Text, Pos: p.Pos(parent.Off)})
	}
	if !p.Punct("){") {
		return false
	}
	for p.Tok.Kind != '}' {
		if !p.row(t) {
			return false
		}
	}
	t.End = p.Pos(p.Tok.Off)
	p.Advance()
	p.tables = append(p.tables, t)
	return true
}

// row reads `(0, 1) : 0.5, 0.5;`, without the states for a root.
func (p *parser) row(t *table) bool {
	r := row{off: p.Tok.Off, from: len(t.Values)}
	if p.Tok.Kind == '(' || len(t.Parents) > 0 {
		if !p.labels(&r) {
			return false
		}
	}
	for {
		x, err := text.Entry(p.Tok.Text)
		if p.Tok.Kind != tokens.Word || err != nil {
			return p.Fail("a number")
		}
		if len(t.Values) == p.opt.MaxEntries {
			return p.Fail("at most " + strconv.Itoa(p.opt.MaxEntries) + " numbers")
		}
		t.Values, t.Offsets = append(t.Values, x), append(t.Offsets, p.Tok.Off)
		p.Advance()
		if p.Tok.Kind != ',' {
			break
		}
		p.Advance()
	}
	r.to = len(t.Values)
	t.rows = append(t.rows, r)
	return p.Punct(";")
}

// labels reads `(0, 1) :`.
func (p *parser) labels(r *row) bool {
	if !p.Punct("(") {
		return false
	}
	for {
		s, err := strconv.ParseUint(p.Tok.Text, 10, 31)
		if p.Tok.Kind != tokens.Word || err != nil {
			return p.Fail("the number of a state")
		}
		r.states = append(r.states, int(s))
		p.Advance()
		if p.Tok.Kind != ',' {
			break
		}
		p.Advance()
	}
	return p.Punct("):")
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
			p.Errorf(p.Pos(r.off), "found the states %v; want the number of a state for each parent of %s", r.states, text.Quote(t.Child.Text))
			return false
		case order[at] != nil:
			p.Errorf(p.Pos(r.off), "found a second row for the states %v; the first is at %v", r.states, p.Pos(order[at].off))
			return false
		case r.to-r.from != p.m.Card(f.ChildVar()):
			p.Errorf(p.Pos(r.off), "found %d numbers; want %d, one for each state of %s", r.to-r.from, p.m.Card(f.ChildVar()), text.Quote(t.Child.Text))
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
