package ir

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Damp sets Span to Rate*Span + (1-Rate)*New. New has the length of Span; Rate is one number. It
// raises Residual, one number, to the largest absolute difference between Span and New before the
// step.
type Damp struct{ Span, New, Rate, Residual SpanID }

// DampOp is the operation of [Damp].
type DampOp struct{ Table, New, Rate, Residual TableID }

// Refs implements [Step].
func (s *Damp) Refs(visit RefVisitor) {
	visit.one(&s.Span, Change)
	visit.one(&s.New, Read)
	visit.one(&s.Rate, Read)
	visit.one(&s.Residual, Change)
}

// States implements [Step].
func (*Damp) States(*Program, StateVisitor) {}

// Products implements [Step].
func (*Damp) Products() int { return 0 }

// String writes `damp s3 s4 rate s1 residual s2`.
func (s *Damp) String() string {
	return fmt.Sprintf("damp %s %s rate %s residual %s", spanName(s.Span), spanName(s.New), spanName(s.Rate), spanName(s.Residual))
}

func parseDamp(ps *parser, _ int) Step {
	return &Damp{Span: ps.spanID(), New: ps.spanID(), Rate: ps.named("rate"), Residual: ps.named("residual")}
}

func (s *Damp) verify(v *verifier) {
	if v.numbers(s.Span, "operand", true) {
		v.alike(s.Span, s.New, "new value")
		v.apart(s.Span, s.New)
	}
	v.one(s.Residual, "residual")
	v.rate(s.Rate)
}

// rate checks that span id holds one number.
func (v *verifier) rate(id SpanID) {
	if v.numbers(id, "rate", false) && v.p.Spans[id].Len != 1 {
		v.errorf("rate s%d has %d numbers; want 1", id, v.p.Spans[id].Len)
	}
}

// keepsMask implements masker.
func (s *Damp) keepsMask(mask []varSet, id SpanID, v model.VarID) bool {
	return id == s.Span && mask[s.New].has(v)
}

// Tables implements [Op].
func (op *DampOp) Tables(visit TableVisitor) {
	visit.one(op.Table, Change)
	visit.one(op.New, Read)
	visit.one(op.Rate, Read)
	visit.one(op.Residual, Change)
}

// States implements [Op].
func (*DampOp) States(*Schedule, StateVisitor) {}

// Products implements [Op].
func (*DampOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *DampOp) Text(s *Schedule) string {
	return fmt.Sprintf("damp %s towards %s  # %s", s.tables(op.Table), s.tables(op.New), s.Tables[op.Table].Name)
}

func (op *DampOp) verify(v *scheduleVerifier, _ *OpBlock) {
	v.writable(op.Table)
	v.sameScope(op.Table, op.New)
	v.scalars(op.Rate, op.Residual)
}

// Lower implements [Op].
func (op *DampOp) Lower(l *Lowering) Step {
	return &Damp{Span: l.Span(op.Table), New: l.Span(op.New), Rate: l.Span(op.Rate), Residual: l.Span(op.Residual)}
}
