package assemble

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/price"
)

// The operation of trials, for RunTrialTape, and the kinds of trial, its third word.
const (
	tapeTrial = 112

	tapeTrialLogs    = 0
	tapeTrialClear   = 1
	tapeTrialForward = 2
	tapeTrialScore   = 3
	tapeTrialReject  = 4
	tapeTrialTemper  = 5
	tapeTrialTabu    = 6
	tapeTrialAdd     = 7
	tapeTrialError   = 8
	tapeTrialKeep    = 9
	tapeTrialRestore = 10
)

// trialRows is the step of trials.
var trialRows = []row{
	newRow(trialTape, (*Assembler).trial, trialPrice),
}

// trial writes: the kind, the offsets of the numbers of the run, the number of levels and of
// listed variables, the first word of each level, the lists, the levels. A list is the place of the
// state of its variable, the offsets of First and Second or -1, and their length. A level is the
// offset of its weights, the number of levels near it, these, and its row.
func (a *Assembler) trial(s *ir.Trial) {
	start := a.begin(tapeTrial)
	a.words(trialKinds[s.Kind])
	for _, id := range s.Run.All() {
		a.words(a.at(*id))
	}
	a.words(len(s.Levels), len(s.Vars))
	first := len(a.code.Words)
	a.words(make([]int, len(s.Levels))...)
	for i, v := range s.Vars {
		a.words(a.state(v), a.at(s.First[i]), a.at(s.Second[i]), a.len(s.First[i]))
	}
	for i := range s.Levels {
		l := &s.Levels[i]
		a.code.Words[first+i] = int32(len(a.code.Words) - start)
		a.words(a.at(l.Weights), len(l.Near))
		a.code.Words = append(a.code.Words, l.Near...)
		a.row(&l.Row)
	}
	a.code.State = true // even if no variable is listed
	a.code.Draws = a.code.Draws || s.Draws()
	a.end(start)
}

var trialKinds = [...]int{
	ir.TakeLogs:     tapeTrialLogs,
	ir.ClearSums:    tapeTrialClear,
	ir.DrawForward:  tapeTrialForward,
	ir.AddScore:     tapeTrialScore,
	ir.RejectZero:   tapeTrialReject,
	ir.DrawTempered: tapeTrialTemper,
	ir.TabuMove:     tapeTrialTabu,
	ir.AddWeight:    tapeTrialAdd,
	ir.MeasureError: tapeTrialError,
	ir.KeepBest:     tapeTrialKeep,
	ir.RestoreBest:  tapeTrialRestore,
}

func trialPrice(_ *ir.Program, s *ir.Trial) Price {
	ns := price.Step.Call + float64(price.Step.Add*float64(2*len(s.Vars)))
	for i := range s.Levels {
		ns += rowNS(&s.Levels[i].Row)
	}
	return Price{NS: ns}
}
