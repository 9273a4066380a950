package net

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/cpt"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// potential is a potential block as the file gives it.
type potential struct {
	cpt.Table
	data    bool     // the block has data
	runs    []int    // the start of each run of numbers between brackets
	normals []normal // instead of numbers, for a continuous child
}

// potential reads `potential ( child | parents ) { attributes }`.
func (p *parser) potential() bool {
	q := &potential{}
	q.Pos = p.here()
	p.advance()
	if !p.header(q) || !p.attributes(func(key token) bool { return p.potentialAttribute(q, key) }) {
		return false
	}
	p.potentials = append(p.potentials, q)
	return true
}

// header reads `( child | parents )`.
func (p *parser) header(q *potential) bool {
	if !p.punct('(') {
		return false
	}
	children, ok := p.names()
	if !ok {
		return false
	}
	if len(children) == 0 {
		return p.fail("the node that the potential is for")
	}
	if len(children) > 1 {
		p.Errorf(children[1].Pos, "found a potential of the nodes %s together; want one node before the bar", quoteList(children))
		return false
	}
	q.Child = children[0]
	if p.tok.kind == '|' {
		p.advance()
		if q.Parents, ok = p.names(); !ok {
			return false
		}
	}
	return p.punct(')')
}

// names reads the names of nodes.
func (p *parser) names() (names []cpt.Name, ok bool) {
	for p.tok.kind == word || p.tok.kind == quoted {
		pos := p.here()
		s, ok := p.name("a node", word, quoted)
		if !ok {
			return nil, false
		}
		names = append(names, cpt.Name{Text: s, Pos: pos})
	}
	if p.tok.kind != ')' && p.tok.kind != '|' {
		return nil, p.fail(`a node or ")"`)
	}
	return names, true
}

func (p *parser) potentialAttribute(q *potential, key token) bool {
	switch key.text {
	case "data":
		return p.data(q, key)
	case "model_nodes", "model_data":
		p.Errorf(p.pos(key.off), "the table of %s is an expression (%s); want numbers (data)", text.Quote(q.Child.Text), key.text)
		return false
	}
	return p.skip()
}

// data reads the numbers and the nested brackets around them.
func (p *parser) data(q *potential, key token) bool {
	if q.data {
		p.Errorf(p.pos(key.off), "potential of %s has its data twice; want it once", text.Quote(q.Child.Text))
		return false
	}
	q.data = true
	if p.tok.kind != '(' && !p.tok.is("normal") {
		return p.fail("numbers in brackets")
	}
	run := false
	for depth := 0; ; {
		switch p.tok.kind {
		case '(':
			depth++
			run = false
		case ')':
			run = false
			depth--
		case word:
			if !run {
				q.runs = append(q.runs, max(len(q.Values), len(q.normals)))
			}
			run = true
			if !p.number(q) {
				return false
			}
		default:
			return p.fail(`a number, "(" or ")"`)
		}
		q.End = p.here()
		p.advance()
		if depth == 0 {
			return true
		}
	}
}

// number reads a number or a normal distribution, up to its last token.
func (p *parser) number(q *potential) bool {
	n := max(len(q.Values), len(q.normals))
	switch {
	case n == p.opt.MaxEntries:
		return p.fail(fmt.Sprintf("at most %d numbers", n))
	case p.tok.is("normal") && q.Values == nil:
		return p.normal(q)
	case q.normals != nil:
		return p.fail("a normal distribution like the first")
	}
	x, err := text.Entry(p.tok.text)
	if err != nil {
		return p.fail(err.Error())
	}
	q.Values, q.Offsets = append(q.Values, x), append(q.Offsets, p.tok.off)
	return true
}

// nested checks that the innermost brackets all hold the entries of the last of some variables, and
// of the same number of variables before it. This finds tables that were written with their axes in
// another order. what names the entries.
func (p *parser) nested(q *potential, vars []model.VarID, what string) bool {
	fits := map[int]bool{}
	size := 1
	for i := len(vars) - 1; i >= 0; i-- {
		size *= p.m.Card(vars[i])
		fits[size] = true
	}
	first := 0
	for i, from := range q.runs {
		to := len(q.Offsets)
		if i+1 < len(q.runs) {
			to = q.runs[i+1]
		}
		if i == 0 {
			first = to - from
		}
		if n := to - from; n != first || !fits[n] {
			last := p.m.Vars[vars[len(vars)-1]]
			p.Errorf(p.pos(q.Offsets[from]), "found %d %s in brackets; want %d, one for each state of %s",
				n, what, p.m.Card(last.ID), text.Quote(last.Name))
			return false
		}
	}
	return true
}

// scale makes those rows of f sum to one that differ from it by more than rounding. It leaves rows
// with an invalid sum or number for later checks to report.
func (p *parser) scale(f *model.Factor) {
	values, _ := f.Table()
	card := p.m.Card(f.ChildVar())
	warned := false
	for i := range f.RowPos {
		row := values[i*card : (i+1)*card]
		sum, least := 0.0, 0.0
		for _, x := range row {
			sum += x
			least = min(least, x)
		}
		if math.Abs(sum-1) <= model.RowsWarn || sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 1) || least < 0 {
			continue
		}
		for x := range row {
			row[x] /= sum
		}
		if !warned {
			warned = true
			p.Warnf(f.RowPos[i], "a row of the %s sums to %v; such rows are treated as weights and scaled to sum to 1",
				p.m.FactorName(f), sum)
		}
	}
}
