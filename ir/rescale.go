package ir

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Rescale multiplies a span by the power of two that brings its largest element into [1, 2), and
// adds the negated power to the integer in Exp, unless that is NoSpan. A span of zeros stays zero.
// No operation of a schedule makes it: the pass program-scale and the lowering of circuits do.
type Rescale struct{ Span, Exp SpanID }

// Refs implements [Step].
func (s *Rescale) Refs(visit RefVisitor) {
	visit.one(&s.Span, Change)
	visit.one(&s.Exp, Change)
}

// States implements [Step].
func (*Rescale) States(*Program, StateVisitor) {}

// Products implements [Step].
func (*Rescale) Products() int { return 0 }

// String writes `rescale s6 s5`.
func (s *Rescale) String() string { return "rescale " + spanName(s.Span) + " " + spanName(s.Exp) }

func parseRescale(ps *parser, _ int) Step { return &Rescale{Span: ps.spanID(), Exp: ps.spanID()} }

func (s *Rescale) verify(v *verifier) {
	v.numbers(s.Span, "operand", true)
	if s.Exp != NoSpan {
		v.integer(s.Exp)
	}
}

// countedBits is the range, in bits below the largest of its group, that Bound assumes for a
// rescaled value.
const countedBits = 64

// Bound computes bounds on the elements of a span of nodes after rescaling. It assumes that
// elements far below the largest are countedBits below it, since static bounds would grow without
// end along a circuit.
func (s *Rescale) Bound(b *Bounds) (of Interval, table bool) {
	list := b.Element[s.Span]
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range list {
		lo, hi = min(lo, x.Lo), max(hi, x.Hi)
	}
	for i := range list {
		list[i] = Interval{max(lo-hi, -countedBits), 1}
	}
	return Interval{}, false
}

// keepsMask implements masker.
func (s *Rescale) keepsMask(_ []varSet, id SpanID, _ model.VarID) bool { return id == s.Span }
