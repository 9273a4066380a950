package assemble

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/price"
)

// The operations of samplers, for RunChainTape.
const (
	tapeResample = 96 + iota
	tapeFindStart
	tapeStatsClear
	tapeStatsBatch
	tapeStatsHalf
	tapeStatsRun
	tapeStatsHalfReal
	tapeStatsRunReal
)

// chainRows are the steps of samplers.
var chainRows = []row{
	newRow(chainTape, (*Assembler).resample, resamplePrice),
	newRow(chainTape, (*Assembler).findStart, findStartPrice),
	newRow(chainTape, (*Assembler).updateStats, updateStatsPrice),
}

// resample writes: number of drawn variables, offset of the weights, 1 if they are scaled, the
// offset of each drawn variable's tally or -1, the row.
func (a *Assembler) resample(s *ir.Resample) {
	drawn, _ := s.Drawn()
	start := a.begin(tapeResample)
	a.words(drawn, a.at(s.Weights), bit(s.Scaled))
	for _, id := range s.Tallies {
		a.words(a.at(id))
	}
	a.row(&s.Row)
	a.code.State, a.code.Draws = true, true
	a.end(start)
}

func resamplePrice(_ *ir.Program, s *ir.Resample) Price { return Price{NS: rowNS(&s.Row)} }

// findStart writes: offset of the outcome, number of levels, the first word of each level; each
// level is the offset of its weights, the level to go back to or -1, and its row.
func (a *Assembler) findStart(s *ir.FindStart) {
	start := a.begin(tapeFindStart)
	a.words(a.at(s.Outcome), len(s.Levels))
	first := len(a.code.Words)
	a.words(make([]int, len(s.Levels))...)
	for i := range s.Levels {
		l := &s.Levels[i]
		a.code.Words[first+i] = int32(len(a.code.Words) - start)
		a.words(a.at(l.Weights), l.Back)
		a.row(&l.Row)
	}
	a.code.State, a.code.Draws = true, true
	a.end(start)
}

func findStartPrice(_ *ir.Program, s *ir.FindStart) Price {
	ns := 0.0
	for i := range s.Levels {
		ns += rowNS(&s.Levels[i].Row)
	}
	return Price{NS: ns}
}

// updateStats writes: length of the statistics, their six offsets, the offsets of the six numbers
// of the run.
func (a *Assembler) updateStats(s *ir.UpdateStats) {
	start := a.begin(statsOps[s.Kind])
	a.words(a.len(s.Stats.Batch))
	for _, id := range s.Stats.All() {
		a.words(a.at(*id))
	}
	for _, id := range s.Run.All() {
		a.words(a.at(*id))
	}
	a.end(start)
}

var statsOps = [...]int{
	ir.StatsClear:    tapeStatsClear,
	ir.StatsBatch:    tapeStatsBatch,
	ir.StatsHalf:     tapeStatsHalf,
	ir.StatsRun:      tapeStatsRun,
	ir.StatsHalfReal: tapeStatsHalfReal,
	ir.StatsRunReal:  tapeStatsRunReal,
}

func updateStatsPrice(p *ir.Program, s *ir.UpdateStats) Price {
	return Price{NS: price.Step.Call + float64(2*price.Step.Add*float64(p.Spans[s.Stats.Batch].Len))}
}
