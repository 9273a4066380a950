package ir

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Rescale multiplies a span by the power of two that brings its largest element into [1, 2), and
// adds the negated power to the one element of Exp, if there is one. A span of zeros stays. No
// operation of a schedule makes it: the pass program-scale does, and the lowering of circuits.
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

// countedBits is how far below the largest of its group a rescaled value is taken to count.
const countedBits = 64

// Bound bounds the elements of a span of nodes after they were rescaled together. Those far below
// the largest are taken to be countedBits below it: static bounds would grow without end along a
// circuit.
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
