package tape

import (
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// machineOf is the function of the runtime that runs b. Those that know the steps of loops and of samplers are functions of their own, so that packages
// without these don't hold them.
func machineOf(b *ir.Block) string {
	machine := "RunTape"
	for _, step := range b.Steps {
		switch step.(type) {
		case *ir.Damp, *ir.Boltzmann, *ir.Powers, *ir.Tally:
			if machine == "RunTape" {
				machine = "RunLoopTape"
			}
		case *ir.Resample, *ir.Seek, *ir.Fold:
			machine = "RunChainTape"
		case *ir.Trial:
			return "RunTrialTape" // which runs those of samplers too
		case *ir.MinSum, *ir.Spread, *ir.Energy, *ir.Choose, *ir.Judge:
			return "RunEnergyTape" // which runs those of loops too
		}
	}
	return machine
}

// loopStep appends the instruction of a step which only loops have; nil for other steps.
func (e encoder) loopStep(code []int32, step ir.Step) []int32 {
	switch s := step.(type) {
	case *ir.Damp:
		return pgmrt.AppendDamp(code, e.numbers(s.Span), e.numbers(s.New), e.numbers(s.Rate), e.numbers(s.Residual))
	case *ir.Boltzmann:
		return pgmrt.AppendBoltzmann(code, e.numbers(s.Out), e.numbers(s.Weight), e.all(s.In))
	case *ir.Powers:
		return pgmrt.AppendPowers(code, e.numbers(s.Out), s.Power, e.all(s.In))
	case *ir.Tally:
		kind := map[ir.TallyKind]pgmrt.TapeTally{ir.TallySum: pgmrt.TapeTallySum, ir.TallyLog: pgmrt.TapeTallyLog, ir.TallyEntropy: pgmrt.TapeTallyEntropy}[s.Kind]
		return pgmrt.AppendTally(code, kind, s.Factor, e.numbers(s.Total), e.numbers(s.Alive), e.numbers(s.In), e.numbers(s.Ref))
	}
	return nil
}

func (e encoder) all(ids []ir.SpanID) (spans []pgmrt.TapeSpan) {
	for _, id := range ids {
		spans = append(spans, e.numbers(id))
	}
	return spans
}

// numbers is a span as the tape has it; one of length 0 where there is none.
func (e encoder) numbers(id ir.SpanID) pgmrt.TapeSpan {
	if id == ir.NoSpan {
		return pgmrt.TapeSpan{}
	}
	s := &e.p.Spans[id]
	return pgmrt.TapeSpan{Data: s.ReadOnly(), Offset: s.Offset, Len: s.Len}
}
