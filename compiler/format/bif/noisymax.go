package bif

import (
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// noisyMax makes a noisy-max of rows with at most one active cause: a parent that is not in its first state. The rows of
// causes exclude the leak: in the files that use this (the CPCS-like network carpo of aGrUM's tests), P(first state) of
// a cause can be above that of the leak, which no row that included the leak could be.
func (p *parser) noisyMax(b *cpd) (model.Dist, []diag.Pos, bool) {
	parents := b.parents()
	first := make([]int, len(parents)) // where the rows of each cause start, as model.Dist orders them
	rows := 1
	for i, v := range parents {
		first[i] = rows
		rows += p.m.Card(v)
	}
	given := make([]int, rows) // an index into b.rows, plus one
	pos := make([]diag.Pos, rows)
	for i, r := range b.rows {
		at, ok := p.causeRow(b, r, first)
		if !ok {
			return nil, nil, false
		}
		p.setRow(b, r, pos, at)
		given[at] = i + 1
	}
	if b.def != nil {
		p.Errorf(b.defPos, "found a default row; want none in a noisy-max")
		return nil, nil, false
	}
	if !p.complete(b, first, given) {
		return nil, nil, false
	}
	take := func(at int) []float64 {
		values := b.rows[given[at]-1].values
		return b.values[values : values+b.card : values+b.card]
	}
	d := &model.NoisyMax{Leak: take(0), Cause: make([][]float64, len(parents))}
	for i, v := range parents {
		card := p.m.Card(v)
		d.Cause[i] = make([]float64, card*b.card)
		d.Cause[i][0] = 1 // a cause in its first state contributes the first state
		pos[first[i]] = b.pos
		for s := 1; s < card; s++ {
			copy(d.Cause[i][s*b.card:], take(first[i]+s))
		}
	}
	return d, pos, true
}

// causeRow says which row of a noisy-max r is.
func (p *parser) causeRow(b *cpd, r row, first []int) (at int, ok bool) {
	if r.flat {
		p.Errorf(r.pos, "found a table; want rows in a noisy-max")
		return 0, false
	}
	active := 0
	for i, s := range b.label(r) {
		if s > 0 {
			active++
			at = first[i] + int(s)
		}
	}
	if active > 1 {
		p.Errorf(r.pos, "row %s of the %s has %d causes that are not in their first state; want at most one in a noisy-max",
			p.rowName(b, b.label(r)), p.what(b), active)
		return 0, false
	}
	return at, true
}

// complete checks that the leak and each state but the first of each cause have a row. It comes before the rows are laid
// out, so that what is allocated is in proportion to the file.
func (p *parser) complete(b *cpd, first, given []int) bool {
	label := make([]int32, len(first))
	if given[0] == 0 {
		return p.missing(b, label)
	}
	for i, v := range b.parents() {
		for s := 1; s < p.m.Card(v); s++ {
			if given[first[i]+s] == 0 {
				label[i] = int32(s)
				return p.missing(b, label)
			}
		}
	}
	return true
}
