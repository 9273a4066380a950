package assemble

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/price"
)

// The operations of iterative methods, for RunLoopTape.
const (
	tapeDamp = 64 + iota
	tapeBoltzmann
	tapeTallySum
	tapeTallyLog
	tapeTallyEntropy
	tapePowers
)

// loopRows are the steps of iterative methods.
var loopRows = []row{
	newRow(loopTape, (*Assembler).damp, dampPrice),
	newRow(loopTape, (*Assembler).boltzmann, boltzmannPrice),
	newRow(loopTape, (*Assembler).powers, powersPrice),
	newRow(loopTape, (*Assembler).tally, tallyPrice),
}

// damp writes the spans: the old numbers, the new ones, the damping, the residual.
func (a *Assembler) damp(s *ir.Damp) {
	start := a.begin(tapeDamp)
	a.span(s.Span)
	a.span(s.New)
	a.span(s.Rate)
	a.span(s.Residual)
	a.end(start)
}

func dampPrice(p *ir.Program, s *ir.Damp) Price {
	return Price{NS: price.Step.Call + float64(price.Step.Move*float64(p.Spans[s.Span].Len))}
}

// boltzmann writes the spans: the result, the weight, the energies.
func (a *Assembler) boltzmann(s *ir.Boltzmann) {
	start := a.begin(tapeBoltzmann)
	a.span(s.Out)
	a.span(s.Weight)
	for _, id := range s.In {
		a.span(id)
	}
	a.end(start)
}

func boltzmannPrice(p *ir.Program, s *ir.Boltzmann) Price {
	return Price{NS: price.Step.Call + float64((price.Step.Log+float64(price.Step.Add*float64(len(s.In))))*float64(p.Spans[s.Out].Len))}
}

// powers writes the spans of the result and of the operands, then the powers.
func (a *Assembler) powers(s *ir.Powers) {
	start := a.begin(tapePowers)
	a.span(s.Out)
	for _, id := range s.In {
		a.span(id)
	}
	for _, x := range s.Power {
		a.bits(x)
	}
	a.end(start)
}

func powersPrice(p *ir.Program, s *ir.Powers) Price {
	return Price{NS: price.Step.Call + float64(price.Step.Log*float64((1+len(s.In))*p.Spans[s.Out].Len))}
}

// tally writes the spans of the total, the mark of possible evidence, the numbers and their
// reference, then the factor. A kind that has no use for a span ignores it.
func (a *Assembler) tally(s *ir.Tally) {
	start := a.begin(tallyOps[s.Kind])
	a.span(s.Total)
	a.span(s.Alive)
	a.span(s.In)
	a.span(s.Ref)
	a.bits(s.Factor)
	a.end(start)
}

var tallyOps = [...]int{
	ir.TallySum:     tapeTallySum,
	ir.TallyLog:     tapeTallyLog,
	ir.TallyEntropy: tapeTallyEntropy,
}

func tallyPrice(p *ir.Program, s *ir.Tally) Price {
	n := float64(p.Spans[s.In].Len)
	if s.Kind == ir.TallyEntropy {
		return Price{NS: price.Step.Call + float64(2*price.Step.Log*n)}
	}
	return Price{NS: price.Step.Call + price.Step.Log + float64(price.Step.Add*n)}
}
