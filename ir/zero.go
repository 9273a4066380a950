package ir

import "github.com/pgmc-go/pgmc/ir/model"

// Zero sets a span to 0. No operation of a schedule makes it: the pass program-scale does.
type Zero struct{ Span SpanID }

// Refs implements [Step].
func (s *Zero) Refs(visit RefVisitor) { visit.one(&s.Span, Write) }

// States implements [Step].
func (*Zero) States(*Program, StateVisitor) {}

// Products implements [Step].
func (*Zero) Products() int { return 0 }

// Fills implements [filler].
func (*Zero) Fills(*Program) bool { return true }

// String writes `zero s5`.
func (s *Zero) String() string { return "zero " + spanName(s.Span) }

func parseZero(ps *parser, _ int) Step { return &Zero{ps.spanID()} }

func (s *Zero) verify(v *verifier) {
	if !v.known(s.Span) {
		v.errorf("clears s%d; there are %d spans", s.Span, len(v.p.Spans))
		return
	}
	v.writable(s.Span)
}

// keepsMask implements masker.
func (*Zero) keepsMask([]varSet, SpanID, model.VarID) bool { return true }
