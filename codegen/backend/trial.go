package backend

import (
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// appendTrial appends the instruction of a step which only trials have.
func appendTrial(code []int32, p *ir.Program, s *ir.Trial) []int32 {
	at := func(id ir.SpanID) int {
		if id == ir.NoSpan {
			return -1
		}
		return p.Spans[id].Offset
	}
	x := &pgmrt.TapeTrial{Kind: int(s.Kind)}
	for _, id := range s.Run {
		x.Run = append(x.Run, at(id))
	}
	for i := range s.Levels {
		l := &s.Levels[i]
		x.Levels = append(x.Levels, pgmrt.TapeTrialLevel{Row: *tapeRow(p, &l.Row), Weights: at(l.Weights), Near: l.Near})
	}
	for i, v := range s.Vars {
		x.Lists = append(x.Lists, pgmrt.TapeList{Place: p.Spans[p.State].Offset + int(v), First: at(s.First[i]), Second: at(s.Second[i]),
			Len: p.Spans[s.First[i]].Len})
	}
	return pgmrt.AppendTrial(code, x)
}
