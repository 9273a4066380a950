package stochhmm

import (
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// model returns the template.
func (p *parser) model() *model.Model {
	var start *state
	var hidden []*state
	place, names := map[string]int{}, []string(nil)
	for _, s := range p.states {
		if s.name == first {
			start = s
			continue
		}
		if _, dup := place[s.name]; dup {
			p.Errorf(s.pos, "state %s is defined twice; want it once", text.Quote(s.name))
			return nil
		}
		place[s.name] = len(hidden)
		hidden, names = append(hidden, s), append(names, s.name)
	}
	if n := len(hidden); start == nil || n == 0 || p.track == "" || n > p.most/max(n, len(p.symbols)) {
		p.Errorf(diag.Pos{File: p.file, Line: 1, Col: 1}, "found %d states besides %s and the track %s; want at least one state, %[2]s and a track, and at most %[4]d numbers",
			n, first, text.Quote(p.track), p.most)
		return nil
	}
	m := &model.Model{Name: p.name, File: p.file}
	x, y := m.NewVar("state", names...), m.NewVar(p.track, p.symbols...)
	x.Pos, y.Pos = start.pos, start.pos
	m.Factors = []*model.Factor{{Scope: []model.VarID{x.ID}, Dist: &model.Table{Values: p.row(start, place)}, Pos: start.pos}}
	move := &model.Factor{Scope: []model.VarID{2, x.ID}, Child: 1, Pos: hidden[0].pos}
	emit := &model.Factor{Scope: []model.VarID{x.ID, y.ID}, Child: 1, Pos: hidden[0].pos}
	var rows, symbols []float64
	for _, s := range hidden {
		if s.emission == nil && !p.HasErrors() {
			p.Errorf(s.pos, "state %s has no emission; want one", text.Quote(s.name))
		}
		rows, symbols = append(rows, p.row(s, place)...), append(symbols, s.emission...)
		move.RowPos, emit.RowPos = append(move.RowPos, s.pos), append(emit.RowPos, s.emits)
	}
	move.Dist, emit.Dist = &model.Table{Values: rows}, &model.Table{Values: symbols}
	m.Factors = append(m.Factors, emit)
	m.Transition = &model.Transition{Before: []model.VarID{x.ID}, Factors: []*model.Factor{move, emit}}
	return m
}

// row returns the probabilities of the states after s.
func (p *parser) row(s *state, place map[string]int) []float64 {
	out := make([]float64, len(place))
	for _, t := range s.next {
		i, known := place[t.to]
		switch {
		case !known:
			p.Errorf(t.pos, "found a transition to %s; want a state of the file", text.Quote(t.to))
		case out[i] != 0:
			p.Errorf(t.pos, "found a second transition to %s; want one", text.Quote(t.to))
		default:
			out[i] = t.p
		}
	}
	return out
}
