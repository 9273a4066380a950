package ir

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Boltzmann sets Out to exp(-E), normalised. E is the sum of the spans of In, energies of at least
// 0. If Weight is not NoSpan, Out is Weight*exp(-E), normalised. The step first subtracts the
// smallest energy of positive weight, so that no number that matters underflows. If no weight is
// positive, Out is all zeros.
type Boltzmann struct {
	Out, Weight SpanID
	In          []SpanID
}

// BoltzmannOp is the operation of [Boltzmann]. It has no weight if Weight is NoTable.
type BoltzmannOp struct {
	Out, Weight TableID
	In          []TableID
}

// Refs implements [Step].
func (s *Boltzmann) Refs(visit RefVisitor) {
	visit.one(&s.Weight, Read)
	visit.all(s.In, Read)
	visit.one(&s.Out, Write)
}

// States implements [Step].
func (*Boltzmann) States(*Program, StateVisitor) {}

// Products implements [Step].
func (*Boltzmann) Products() int { return 0 }

// Fills implements [filler].
func (*Boltzmann) Fills(*Program) bool { return true }

// String writes `boltzmann s5 weight s0 = s6 s7`.
func (s *Boltzmann) String() string {
	return line("boltzmann %s weight %s = %s", spanName(s.Out), spanName(s.Weight), spanNames(s.In))
}

func parseBoltzmann(ps *parser, _ int) Step {
	s := &Boltzmann{Out: ps.spanID(), Weight: ps.named("weight")}
	ps.expect("=")
	s.In = ps.spansLeft()
	return s
}

func (s *Boltzmann) verify(v *verifier) {
	if !v.numbers(s.Out, "result", true) {
		return
	}
	for _, id := range present(append([]SpanID{s.Weight}, s.In...)...) {
		v.alike(s.Out, id, "operand")
		if v.known(id) {
			v.apart(s.Out, id)
		}
	}
}

// keepsMask implements masker.
func (s *Boltzmann) keepsMask(mask []varSet, _ SpanID, v model.VarID) bool {
	return s.Weight != NoSpan && mask[s.Weight].has(v)
}

// Tables implements [Op].
func (op *BoltzmannOp) Tables(visit TableVisitor) {
	visit.one(op.Weight, Read)
	visit.all(op.In, Read)
	visit.one(op.Out, Write)
}

// States implements [Op].
func (*BoltzmannOp) States(*Schedule, StateVisitor) {}

// Products implements [Op].
func (*BoltzmannOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *BoltzmannOp) Text(s *Schedule) string {
	weight := ""
	if op.Weight != NoTable {
		weight = s.tables(op.Weight) + " * "
	}
	return fmt.Sprintf("%s = %sexp -(%s)", s.tables(op.Out), weight, s.tables(op.In...))
}

func (op *BoltzmannOp) verify(v *scheduleVerifier, _ *OpBlock) {
	v.writable(op.Out)
	v.sameScope(op.Out, append(presentTables(op.Weight), op.In...)...)
}

// Lower implements [Op].
func (op *BoltzmannOp) Lower(l *Lowering) Step {
	return &Boltzmann{Out: l.Span(op.Out), Weight: l.Span(op.Weight), In: l.Spans(op.In)}
}
