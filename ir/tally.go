package ir

import (
	"fmt"
	"math"
)

// TallyKind says which numbers a Tally adds.
type TallyKind uint8

// The kinds of tally, of a span x.
const (
	TallySum     TallyKind = iota // the sum of x
	TallyLog                      // ln of the sum of x; if that is 0, Alive becomes 0 and nothing is added
	TallyEntropy                  // the sum of x ln (ref/x), where 0 ln anything is 0 and ref is 1 without Ref
)

var tallyNames = [...]string{"tallysum", "tallylog", "tallyentropy"}

// String returns the name of the kind in dumps.
func (k TallyKind) String() string { return tallyNames[k] }

// Tally adds Factor times the quantity of Kind, computed from In, to Total, one number. A total may
// be negative, and only tallies and callers read it.
type Tally struct {
	Kind      TallyKind
	Factor    float64
	Total, In SpanID
	Alive     SpanID // for TallyLog: one number, set to 0 if the evidence proves impossible; NoSpan otherwise
	Ref       SpanID // for TallyEntropy: a span as long as In, or NoSpan
}

// TallyOp is the operation of [Tally]. Alive and Ref may be NoTable.
type TallyOp struct {
	Kind                  TallyKind
	Factor                float64
	Total, In, Alive, Ref TableID
}

// Refs implements [Step].
func (s *Tally) Refs(visit RefVisitor) {
	visit.one(&s.Total, Change)
	visit.one(&s.In, Read)
	visit.one(&s.Alive, Change)
	visit.one(&s.Ref, Read)
}

// States implements [Step].
func (*Tally) States(*Program, StateVisitor) {}

// Products implements [Step].
func (*Tally) Products() int { return 0 }

// String writes `tallylog 1 s8 = s5 alive s9 ref -`.
func (s *Tally) String() string {
	return fmt.Sprintf("%s %s %s = %s alive %s ref %s", s.Kind, number(s.Factor), spanName(s.Total), spanName(s.In), spanName(s.Alive), spanName(s.Ref))
}

func parseTally(ps *parser, word int) Step {
	return &Tally{Kind: TallyKind(word), Factor: ps.float(), Total: ps.spanID(), In: ps.named("="), Alive: ps.named("alive"), Ref: ps.named("ref")}
}

func (s *Tally) verify(v *verifier) {
	if s.Kind > TallyEntropy {
		v.errorf("no such tally: %d", s.Kind)
	}
	if math.IsNaN(s.Factor) || math.IsInf(s.Factor, 0) {
		v.errorf("tally of %v times a sum", s.Factor)
	}
	v.one(s.Total, "total")
	v.numbers(s.In, "operand", false)
	if (s.Alive != NoSpan) != (s.Kind == TallyLog) || s.Ref != NoSpan && s.Kind != TallyEntropy {
		v.errorf("%v with alive %s and ref %s", s.Kind, spanName(s.Alive), spanName(s.Ref))
	}
	if s.Alive != NoSpan {
		v.one(s.Alive, "alive")
	}
	if s.Ref != NoSpan {
		v.alike(s.In, s.Ref, "reference")
	}
}

// Tables implements [Op].
func (op *TallyOp) Tables(visit TableVisitor) {
	visit.one(op.Total, Change)
	visit.one(op.In, Read)
	visit.one(op.Alive, Change)
	visit.one(op.Ref, Read)
}

// States implements [Op].
func (*TallyOp) States(*Schedule, StateVisitor) {}

// Products implements [Op].
func (*TallyOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *TallyOp) Text(s *Schedule) string {
	return fmt.Sprintf("%s %s %s to t%d", op.Kind, number(op.Factor), s.tables(op.In), op.Total)
}

func (op *TallyOp) verify(v *scheduleVerifier, _ *OpBlock) {
	if op.Kind > TallyEntropy || math.IsNaN(op.Factor) || math.IsInf(op.Factor, 0) {
		v.errorf("tally %d of %v times a sum", op.Kind, op.Factor)
	}
	v.tables(op.In)
	v.scalars(presentTables(op.Total, op.Alive)...)
	if op.Ref != NoTable {
		v.sameScope(op.In, op.Ref)
	}
}

// Lower implements [Op].
func (op *TallyOp) Lower(l *Lowering) Step {
	return &Tally{Kind: op.Kind, Factor: op.Factor, Total: l.Span(op.Total), In: l.Span(op.In), Alive: l.Span(op.Alive), Ref: l.Span(op.Ref)}
}
