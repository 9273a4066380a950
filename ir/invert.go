package ir

import "fmt"

// Invert sets the only number of Out to the reciprocal of In's, or to 1 if In is 0.
//
// A method with answers that sum to In multiplies the answers by Out, and normalises them all the
// same. The pass program-scale then drops either the normalising, or Out if something is rescaled
// on the way, so that the answers have scales of their own.
type Invert struct{ Out, In SpanID }

// InvertOp is the operation of [Invert]. Every table that depends on Out and is normalised sums to
// 1 if nothing is rescaled and In is not 0.
type InvertOp struct{ Out, In TableID }

// Refs implements [Step].
func (s *Invert) Refs(visit RefVisitor) {
	visit.one(&s.In, Read)
	visit.one(&s.Out, Write)
}

// States implements [Step].
func (*Invert) States(*Program, StateVisitor) {}

// Products implements [Step].
func (*Invert) Products() int { return 0 }

// Fills implements [filler].
func (*Invert) Fills(*Program) bool { return true }

// String writes `invert s7 = s6`.
func (s *Invert) String() string { return line("invert %s = %s", spanName(s.Out), spanName(s.In)) }

func parseInvert(ps *parser, _ int) Step {
	s := &Invert{Out: ps.spanID()}
	ps.expect("=")
	s.In = ps.spanID()
	return s
}

func (s *Invert) verify(v *verifier) {
	v.one(s.Out, "reciprocal")
	if v.one(s.In, "operand"); v.known(s.In) {
		v.apart(s.Out, s.In)
	}
}

// Bound implements [Bounder]. The result is not rescaled.
func (s *Invert) Bound(b *Bounds) (of Interval, table bool) {
	if x := b.Span[s.In]; x.Lo <= x.Hi {
		b.Span[s.Out] = Interval{-x.Hi, -x.Lo}
	} else {
		b.Span[s.Out] = Interval{} // 1 for a number that is always 0
	}
	return Interval{}, false
}

// Tables implements [Op].
func (op *InvertOp) Tables(visit TableVisitor) {
	visit.one(op.In, Read)
	visit.one(op.Out, Write)
}

// States implements [Op].
func (*InvertOp) States(*Schedule, StateVisitor) {}

// Products implements [Op].
func (*InvertOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *InvertOp) Text(s *Schedule) string {
	return fmt.Sprintf("%s = 1 / %s", s.tables(op.Out), s.tables(op.In))
}

func (op *InvertOp) verify(v *scheduleVerifier, _ *OpBlock) {
	v.writable(op.Out)
	v.scalars(op.In, op.Out)
}

// Lower implements [Op].
func (op *InvertOp) Lower(l *Lowering) Step {
	return &Invert{Out: l.Span(op.Out), In: l.Span(op.In)}
}
