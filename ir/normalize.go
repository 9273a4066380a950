package ir

import "github.com/pgmc-go/pgmc/ir/model"

// Normalize divides the numbers of a span by their sum. A span of zeros stays zero.
type Normalize struct{ Span SpanID }

// NormalizeOp is the operation of [Normalize].
type NormalizeOp struct{ Table TableID }

// Refs implements [Step].
func (s *Normalize) Refs(visit RefVisitor) { visit.one(&s.Span, Change) }

// States implements [Step].
func (*Normalize) States(*Program, StateVisitor) {}

// Products implements [Step].
func (*Normalize) Products() int { return 0 }

// String writes `normalize s7`.
func (s *Normalize) String() string { return "normalize " + spanName(s.Span) }

func parseNormalize(ps *parser, _ int) Step { return &Normalize{ps.spanID()} }

func (s *Normalize) verify(v *verifier) { v.numbers(s.Span, "operand", true) }

// keepsMask implements masker.
func (*Normalize) keepsMask([]varSet, SpanID, model.VarID) bool { return true }

// Tables implements [Op].
func (op *NormalizeOp) Tables(visit TableVisitor) { visit.one(op.Table, Change) }

// States implements [Op].
func (*NormalizeOp) States(*Schedule, StateVisitor) {}

// Products implements [Op].
func (*NormalizeOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *NormalizeOp) Text(s *Schedule) string { return "normalize " + s.tables(op.Table) }

func (op *NormalizeOp) verify(v *scheduleVerifier, _ *OpBlock) { v.writable(op.Table) }

// Lower implements [Op].
func (op *NormalizeOp) Lower(l *Lowering) Step { return &Normalize{Span: l.Span(op.Table)} }
