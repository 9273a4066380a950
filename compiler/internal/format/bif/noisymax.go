package bif

import (
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// noisyMax builds a noisy-max from rows with at most one active cause: a parent that is not in its
// first state. The rows of causes exclude the leak. In the files that use this form (carpo, a
// network like CPCS in aGrUM's tests), P(first state) of a cause can exceed that of the leak, which
// is impossible for a row that includes the leak.
func (p *parser) noisyMax(b *cpd) (model.Dist, []diag.Pos, bool) {
	parents := b.parents()
	first := make([]int, len(parents)) // index of the first row of each cause, in the order of model.Dist
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

// causeRow returns the index of r among the rows of a noisy-max.
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

// complete checks that the leak and every state of a cause except its first have a row. It runs
// before the rows are laid out, so that memory stays in proportion to the file.
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
