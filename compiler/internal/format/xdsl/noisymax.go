package xdsl

import (
	"math"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// maxNoisy bounds the numbers in the tables of all noisy-max nodes of a file together. Few
// parameters can make large tables.
const maxNoisy = 1 << 22

// noisyMax returns the table of a noisy-max node, which is filled once all tables of the file are
// known to fit. With states ordered from the strongest, the state is the first one that a parent or
// the leak contributes.
func (p *parser) noisyMax(n *node, f *model.Factor) (d *model.Table, ok bool) {
	parents := f.Parents()
	first := make([]int, len(parents)) // index of the first row of each parent
	rows := 0
	for i, v := range parents {
		first[i] = rows
		rows += p.Model.Card(v)
	}
	rank, ok := p.strengths(n, parents)
	if !ok || !p.parameters(n, rows+1) || !p.absent(n, parents) {
		return nil, false
	}
	size, fits := p.Model.TableSize(f.Scope)
	if limit := min(maxNoisy, p.MaxEntries); !fits || size > limit-p.noisy {
		if !p.full {
			p.List.Errorf(n.Pos, "the tables of the noisymax nodes up to %s would have %.3g numbers; the limit is %d",
				text.Quote(n.Child.Text), float64(p.noisy)+math.Exp(p.Model.LogTableSize(f.Scope)), limit)
		}
		p.full = true
		return nil, false
	}
	p.noisy += size
	d = &model.Table{}
	p.tables = append(p.tables, func() { d.Values = p.noisyTable(n, parents, first, rank, size) })
	return d, true
}

// noisyTable makes the table of a noisy-max node of the given size. The rows of parameters of
// parents[i] begin with row first[i].
func (p *parser) noisyTable(n *node, parents []model.VarID, first, rank []int, size int) []float64 {
	card := len(n.states)
	rows := make([]model.Extreme, len(n.Values))
	for i, at := range n.Values {
		rows[i] = model.ExtremeOf(n.Values[i+1:i/card*card+card], at)
	}
	values := make([]float64, 0, size)
	state := make([]int, len(p.Model.Vars))
	for range size / card {
		for x := range card {
			e := rows[len(rows)-card+x]
			for i, v := range parents {
				e = e.With(rows[(first[i]+rank[first[i]+state[v]])*card+x])
			}
			values = append(values, e.At)
		}
		p.Model.Next(parents, state)
	}
	return values
}

// strengths reads, for each state of each parent, its rank: the number of stronger states. Without
// strengths the states are in order.
func (p *parser) strengths(n *node, parents []model.VarID) (rank []int, ok bool) {
	total := 0
	for _, v := range parents {
		total += p.Model.Card(v)
	}
	rank = make([]int, total)
	if !slices.Contains(n.given, "strengths") {
		at := 0
		for _, v := range parents {
			for s := range p.Model.Card(v) {
				rank[at] = s
				at++
			}
		}
		return rank, true
	}
	if !p.count(n, total, "strengths", "one for each state of each parent") {
		return nil, false
	}
	words := n.words
	ranks := rank
	for _, v := range parents {
		card := p.Model.Card(v)
		seen := make([]bool, card)
		for i, w := range words[:card] {
			s, err := strconv.Atoi(w.text)
			if err != nil || s < 0 || s >= card || seen[s] {
				p.List.Errorf(p.Pos(w.off), "found %s; want each of 0 to %d once, the states of %s from the strongest to the one without effect",
					text.Quote(w.text), card-1, text.Quote(p.Model.Vars[v].Name))
				return nil, false
			}
			seen[s] = true
			ranks[s] = i
		}
		words, ranks = words[card:], ranks[card:]
	}
	return rank, true
}

// parameters checks the numbers, and scales the rows to one as [model.Model.NormalizeRows] does.
func (p *parser) parameters(n *node, rows int) bool {
	id, card := text.Quote(n.Child.Text), len(n.states)
	const message = "found %d parameters; want %d, a row of %d for each state of each parent and for the leak"
	switch want, got := rows*card, len(n.Values); {
	case got > want:
		p.List.Errorf(p.Pos(n.Offsets[want]), message, got, want, card)
		return false
	case got < want:
		p.List.Errorf(n.End, message, got, want, card)
		return false
	}
	for r := range rows {
		row, pos := n.Values[r*card:(r+1)*card], p.Pos(n.Offsets[r*card])
		sum := 0.0
		for i, x := range row {
			if x < 0 {
				p.List.Errorf(p.Pos(n.Offsets[r*card+i]), "parameters of %s hold %v; want a number of at least 0", id, x)
				return false
			}
			sum += x
		}
		switch off := math.Abs(sum - 1); {
		case off > model.RowsWarn:
			p.List.Errorf(pos, "row of the parameters of %s sums to %v; want 1", id, sum)
			return false
		case off > model.RowsSilent:
			p.List.Warnf(pos, "row of the parameters of %s sums to %v; want 1 (rescaled)", id, sum)
		}
		for i := range row {
			row[i] /= sum
		}
	}
	return true
}

// absent checks that the last state of each parent has no effect, as in SMILE.
func (p *parser) absent(n *node, parents []model.VarID) bool {
	card, last := len(n.states), -1
	for _, v := range parents {
		last += p.Model.Card(v)
		for i := last * card; i < (last+1)*card-1; i++ {
			if n.Values[i] != 0 {
				p.List.Errorf(p.Pos(n.Offsets[i]), "found %v; want 0, as the last state of %s in its strengths has no effect",
					n.Values[i], text.Quote(p.Model.Vars[v].Name))
				return false
			}
		}
	}
	return true
}
