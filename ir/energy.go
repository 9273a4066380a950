package ir

import "fmt"

// Energy sets Out to the sum of -ln(Weight) and the spans of In. Weight may be NoSpan, which counts
// as 0. See [MinSum] for energies.
type Energy struct {
	Out, Weight SpanID
	In          []SpanID
}

// EnergyOp is the operation of [Energy]. It has no weight if Weight is NoTable.
type EnergyOp struct {
	Out, Weight TableID
	In          []TableID
}

// Refs implements [Step].
func (s *Energy) Refs(visit RefVisitor) {
	visit.all(s.In, Read)
	visit.one(&s.Weight, Read)
	visit.one(&s.Out, Write)
}

// States implements [Step].
func (*Energy) States(*Program, StateVisitor) {}

// Products implements [Step].
func (*Energy) Products() int { return 0 }

// Fills implements [filler].
func (*Energy) Fills(*Program) bool { return true }

// String writes `energy s1 weight s0 = s2`.
func (s *Energy) String() string {
	return line("energy %s weight %s = %s", spanName(s.Out), spanName(s.Weight), spanNames(s.In))
}

func parseEnergy(ps *parser, _ int) Step {
	s := &Energy{Out: ps.spanID(), Weight: ps.named("weight")}
	ps.expect("=")
	s.In = ps.spansLeft()
	return s
}

func (s *Energy) verify(v *verifier) {
	v.numbers(s.Out, "result", true)
	for _, id := range present(append([]SpanID{s.Weight}, s.In...)...) {
		v.alike(s.Out, id, "operand")
		v.apart(s.Out, id)
	}
}

// Tables implements [Op].
func (op *EnergyOp) Tables(visit TableVisitor) {
	visit.one(op.Weight, Read)
	visit.all(op.In, Read)
	visit.one(op.Out, Write)
}

// States implements [Op].
func (*EnergyOp) States(*Schedule, StateVisitor) {}

// Products implements [Op].
func (*EnergyOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *EnergyOp) Text(s *Schedule) string {
	weight := ""
	if op.Weight != NoTable {
		weight = " -ln " + s.tables(op.Weight)
	}
	return fmt.Sprintf("%s = energies%s %s", s.tables(op.Out), weight, s.tables(op.In...))
}

func (op *EnergyOp) verify(v *scheduleVerifier, _ *OpBlock) {
	v.writable(op.Out)
	v.sameScope(op.Out, append(presentTables(op.Weight), op.In...)...)
}

// Lower implements [Op].
func (op *EnergyOp) Lower(l *Lowering) Step {
	return &Energy{Out: l.Span(op.Out), Weight: l.Span(op.Weight), In: l.Spans(op.In)}
}
