package backend

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
)

// LoopStep is the statement that runs a step which only loops have, by a function of the runtime; empty for other steps. memory gives the
// local variable that holds a span's memory.
func LoopStep(p *ir.Program, step ir.Step, memory func(ir.SpanID) string) string {
	slice := func(id ir.SpanID) string {
		if id == ir.NoSpan {
			return "nil"
		}
		s := &p.Spans[id]
		return fmt.Sprintf("%s[%d:%d]", memory(id), s.Offset, s.Offset+s.Len)
	}
	one := func(id ir.SpanID) string { return fmt.Sprintf("%s[%d]", memory(id), p.Spans[id].Offset) }
	switch s := step.(type) {
	case *ir.Damp:
		return fmt.Sprintf("%s = pgmrt.Damp(%s, %s, %s, %s)", one(s.Residual), slice(s.Span), slice(s.New), one(s.Rate), one(s.Residual))
	case *ir.Boltzmann:
		args := []string{slice(s.Out), slice(s.Weight)}
		for _, id := range s.In {
			args = append(args, slice(id))
		}
		return "pgmrt.Boltzmann(" + strings.Join(args, ", ") + ")"
	case *ir.Powers:
		var powers, in []string
		for i, id := range s.In {
			powers = append(powers, strconv.FormatFloat(s.Power[i], 'g', -1, 64))
			in = append(in, slice(id))
		}
		return fmt.Sprintf("pgmrt.Powers(%s, []float64{%s}, %s)", slice(s.Out), strings.Join(powers, ", "), strings.Join(in, ", "))
	case *ir.Tally:
		factor := strconv.FormatFloat(s.Factor, 'g', -1, 64)
		switch s.Kind {
		case ir.TallyLog:
			return fmt.Sprintf("pgmrt.TallyLog(&%s, &%s, %s, %s)", one(s.Total), one(s.Alive), factor, slice(s.In))
		case ir.TallySum:
			return fmt.Sprintf("pgmrt.TallySum(&%s, %s, %s)", one(s.Total), factor, slice(s.In))
		case ir.TallyEntropy:
			return fmt.Sprintf("pgmrt.TallyEntropy(&%s, %s, %s, %s)", one(s.Total), factor, slice(s.In), slice(s.Ref))
		}
	}
	return ""
}

// Prices of the runtime's functions for loops, in nanoseconds, beside that of a call: for a number that is moved, that is added up, and
// of which a logarithm or a power is taken.
const (
	nsLoopCall = 5.0
	nsMove     = 1.0
	nsAdd      = .7
	nsLog      = 6.0
)

// LoopStepNS is the price of a step which only loops have; 0 for other steps.
func LoopStepNS(p *ir.Program, step ir.Step) float64 {
	switch s := step.(type) {
	case *ir.Damp:
		return nsLoopCall + float64(nsMove*float64(p.Spans[s.Span].Len))
	case *ir.Boltzmann:
		return nsLoopCall + float64((nsLog+float64(nsAdd*float64(len(s.In))))*float64(p.Spans[s.Out].Len))
	case *ir.Powers:
		return nsLoopCall + float64(nsLog*float64((1+len(s.In))*p.Spans[s.Out].Len))
	case *ir.Tally:
		n := float64(p.Spans[s.In].Len)
		if s.Kind == ir.TallyEntropy {
			return nsLoopCall + float64(2*nsLog*n)
		}
		return nsLoopCall + nsLog + float64(nsAdd*n)
	}
	return 0
}
