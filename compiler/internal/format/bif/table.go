package bif

import (
	"fmt"
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// size returns the number of entries of b's table. It refuses a table beyond the limit before
// anything is allocated.
func (p *parser) size(b *cpd) (n int, ok bool) {
	n, ok = p.m.TableSize(b.scope)
	if !ok || n > p.opt.MaxEntries {
		p.opt.TooLarge(&p.List, b.pos, p.what(b), math.Exp(p.m.LogTableSize(b.scope)))
		return 0, false
	}
	return n, true
}

// what returns the name of b for messages.
func (p *parser) what(b *cpd) string { return "CPD of " + text.Quote(p.m.Vars[b.child()].Name) }

// table builds a table from rows, flat tables and the default row. Later ones replace earlier ones.
func (p *parser) table(b *cpd) (model.Dist, []diag.Pos, bool) {
	n, ok := p.size(b)
	if !ok {
		return nil, nil, false
	}
	rows := n / b.card
	if !p.afford(b, rows) {
		return nil, nil, false
	}
	at := make([]int, len(b.rows))
	for k, r := range b.rows {
		at[k] = p.place(b, r)
	}
	p.misplaced(b, at, rows)
	values, pos := make([]float64, n), make([]diag.Pos, rows)
	for k, r := range b.rows {
		i := at[k]
		if i == flatRow {
			p.setFlat(b, r, values, pos)
			continue
		}
		p.setRow(b, r, pos, i)
		copy(values[i*b.card:(i+1)*b.card], b.values[r.values:])
	}
	for i := range pos {
		if pos[i].Line > 0 {
			continue
		}
		if b.def == nil {
			return nil, nil, p.missing(b, p.labelOf(b, i))
		}
		pos[i] = b.defPos
		copy(values[i*b.card:], b.def)
	}
	return &model.Table{Values: values}, pos, true
}

// flatRow stands for the index of a flat table, which fills all rows.
const flatRow = -1

// place returns the index of row r among the rows of b's table, or flatRow.
func (p *parser) place(b *cpd, r row) int {
	if r.flat {
		return flatRow
	}
	return p.rowBelow(b, r, math.MaxInt)
}

// afford reports whether the file gives that many rows or has a default row for the rest. All
// default rows of a file together may fill no more numbers than one table may have, so that a short
// file cannot claim much memory.
func (p *parser) afford(b *cpd, rows int) bool {
	const posCost = 4 // a position takes as much memory as four numbers
	given := 0
	for _, r := range b.rows {
		given++
		if r.flat {
			given += rows
		}
	}
	switch {
	case given >= rows:
		return true
	case b.def == nil:
		have := make([]bool, given+1) // one of the first given+1 rows is missing
		for _, r := range b.rows {
			if i := p.rowBelow(b, r, len(have)); i >= 0 {
				have[i] = true
			}
		}
		for i := range have {
			if !have[i] {
				return p.missing(b, p.labelOf(b, i))
			}
		}
	}
	p.filled += (rows - given) * (b.card + posCost)
	if p.filled > p.opt.MaxEntries {
		p.Errorf(b.defPos, "the default of the %s fills %d rows, with which all defaults so far are too many numbers; the limit is %d, with %d added for each row", p.what(b), rows-given, p.opt.MaxEntries, posCost)
		return false
	}
	return true
}

// rowBelow returns the index of row r among the rows of its table if it is below limit, and -1
// otherwise.
func (p *parser) rowBelow(b *cpd, r row, limit int) int {
	i := 0
	for axis, s := range b.label(r) {
		i = i*p.m.Card(b.scope[axis]) + int(s)
		if i >= limit {
			return -1
		}
	}
	return i
}

// setRow records that row r fills row i of the table.
func (p *parser) setRow(b *cpd, r row, pos []diag.Pos, i int) {
	if pos[i].Line > 0 {
		p.Warnf(r.pos, "second row for %s in the %s; it replaces the first, at %v", p.rowName(b, b.label(r)), p.what(b), pos[i])
	}
	pos[i] = r.pos
}

// setFlat turns the numbers of a flat table, child slowest, into rows.
func (p *parser) setFlat(b *cpd, r row, values []float64, pos []diag.Pos) {
	rows, warned := len(pos), false
	for i := range pos {
		if pos[i].Line > 0 && !warned {
			p.Warnf(r.pos, "table of the %s replaces the numbers before it, at %v", p.what(b), pos[i])
			warned = true
		}
		pos[i] = r.pos
		if i < len(r.starts) {
			pos[i] = r.starts[i]
		}
		for x := range b.card {
			values[i*b.card+x] = b.values[r.values+x*rows+i]
		}
	}
}

// missing reports that there is no row for the given states of the parents.
func (p *parser) missing(b *cpd, label []int32) bool {
	if len(b.scope) == 1 {
		p.Errorf(b.pos, `%s has no numbers; want "table"`, p.what(b))
	} else {
		p.Errorf(b.pos, `%s has no row for %s; want one, or a "default"`, p.what(b), p.rowName(b, label))
	}
	return false
}

// labelOf returns the states of the parents in row i of b's table.
func (p *parser) labelOf(b *cpd, i int) []int32 {
	parents := b.parents()
	label := make([]int32, len(parents))
	for axis := len(parents) - 1; axis >= 0; axis-- {
		card := p.m.Card(parents[axis])
		label[axis] = int32(i % card)
		i /= card
	}
	return label
}

// rowName returns the states of the parents for a message and shortens a long list.
func (p *parser) rowName(b *cpd, label []int32) string {
	const most = 8
	var names []string
	for axis, s := range label[:min(most, len(label))] {
		names = append(names, text.Quote(p.m.States(b.scope[axis])[s]))
	}
	if len(label) > most {
		names = append(names, fmt.Sprintf("and %d more", len(label)-most))
	}
	return "(" + strings.Join(names, ", ") + ")"
}
