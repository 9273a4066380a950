package assemble

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/price"
)

// normalize writes: offset, length.
func (a *Assembler) normalize(s *ir.Normalize) {
	start := a.begin(tapeNormalize)
	a.words(a.at(s.Span), a.len(s.Span))
	a.end(start)
}

func normalizePrice(p *ir.Program, s *ir.Normalize) Price { return twice(p, s.Span) }

// invert writes: offset of the reciprocal, offset of the number.
func (a *Assembler) invert(s *ir.Invert) {
	start := a.begin(tapeInvert)
	a.words(a.at(s.Out), a.at(s.In))
	a.end(start)
}

func invertPrice(p *ir.Program, s *ir.Invert) Price { return twice(p, s.Out) }

// rescale writes: offset, length, offset of the exponent or -1.
func (a *Assembler) rescale(s *ir.Rescale) {
	start := a.begin(tapeRescale)
	a.words(a.at(s.Span), a.len(s.Span), a.at(s.Exp))
	a.end(start)
}

func rescalePrice(p *ir.Program, s *ir.Rescale) Price { return twice(p, s.Span) }

// twice returns the price of reading a span and writing it.
func twice(p *ir.Program, id ir.SpanID) Price {
	n := p.Spans[id].Len
	return Price{NS: float64(2 * price.Step.Number * float64(n)), Ops: 2 * n}
}

// zero writes: offset, length.
func (a *Assembler) zero(s *ir.Zero) {
	op := tapeZero
	if a.program.Spans[s.Span].Elem == ir.Int32 {
		op = tapeZeroInts
	}
	start := a.begin(op)
	a.words(a.at(s.Span), a.len(s.Span))
	a.end(start)
}

func zeroPrice(*ir.Program, *ir.Zero) Price { return Price{} }
