package ir

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Powers sets Out to the normalised product of the spans of In, each raised to its power. An
// element is 0 if it is 0 in any span of In, for any power. All others are at least 2^-200 of the
// largest element.
type Powers struct {
	Out   SpanID
	In    []SpanID
	Power []float64 // by span of In
}

// PowersOp is the operation of [Powers], with a power for each table of In.
type PowersOp struct {
	Out   TableID
	In    []TableID
	Power []float64
}

// Refs implements [Step].
func (s *Powers) Refs(visit RefVisitor) {
	visit.all(s.In, Read)
	visit.one(&s.Out, Write)
}

// States implements [Step].
func (*Powers) States(*Program, StateVisitor) {}

// Products implements [Step].
func (*Powers) Products() int { return 0 }

// Fills implements [filler].
func (*Powers) Fills(*Program) bool { return true }

// String writes `powers s5 = 0.5 s6 -0.5 s7`.
func (s *Powers) String() string {
	words := []string{"powers", spanName(s.Out), "="}
	for i, id := range s.In {
		words = append(words, number(s.Power[i]), spanName(id))
	}
	return strings.Join(words, " ")
}

func parsePowers(ps *parser, _ int) Step {
	s := &Powers{Out: ps.spanID()}
	ps.expect("=")
	for ps.more() {
		s.Power = append(s.Power, ps.float())
		s.In = append(s.In, ps.spanID())
	}
	return s
}

func (s *Powers) verify(v *verifier) {
	if !v.numbers(s.Out, "result", true) {
		return
	}
	if len(s.In) == 0 || len(s.In) != len(s.Power) {
		v.errorf("%d powers of %d spans; want one each, and one span at least", len(s.Power), len(s.In))
	}
	for _, id := range s.In {
		v.alike(s.Out, id, "operand")
		if v.known(id) {
			v.apart(s.Out, id)
		}
	}
	for _, x := range s.Power {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			v.errorf("power %v", x)
		}
	}
}

// keepsMask implements masker.
func (s *Powers) keepsMask(mask []varSet, _ SpanID, v model.VarID) bool {
	return slices.ContainsFunc(s.In, func(in SpanID) bool { return mask[in].has(v) })
}

// Tables implements [Op].
func (op *PowersOp) Tables(visit TableVisitor) {
	visit.all(op.In, Read)
	visit.one(op.Out, Write)
}

// States implements [Op].
func (*PowersOp) States(*Schedule, StateVisitor) {}

// Products implements [Op].
func (*PowersOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *PowersOp) Text(s *Schedule) string {
	return fmt.Sprintf("%s = %s to the powers %v", s.tables(op.Out), s.tables(op.In...), op.Power)
}

func (op *PowersOp) verify(v *scheduleVerifier, _ *OpBlock) {
	v.writable(op.Out)
	v.sameScope(op.Out, op.In...)
	if len(op.In) != len(op.Power) {
		v.errorf("%d powers of %d tables", len(op.Power), len(op.In))
	}
}

// Lower implements [Op].
func (op *PowersOp) Lower(l *Lowering) Step {
	return &Powers{Out: l.Span(op.Out), In: l.Spans(op.In), Power: op.Power}
}
