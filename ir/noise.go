package ir

import "slices"

// Noise sets the numbers of Out to independent draws from the normal distribution of mean 0 and
// variance 1, in order.
type Noise struct {
	Out SpanID
	// Known has a span for each number of Out, or is nil. If the first number of that span is not
	// 0, nothing is drawn and the number of Out is 0: the numbers of observed variables are not
	// needed. It may be NoSpan.
	Known []SpanID
}

// NoiseOp is the operation of [Noise].
type NoiseOp struct {
	Out   TableID
	Known []TableID
}

// Refs implements [Step].
func (s *Noise) Refs(visit RefVisitor) {
	visit.all(s.Known, Read)
	visit.one(&s.Out, Write)
}

// States implements [Step].
func (*Noise) States(*Program, StateVisitor) {}

// Products implements [Step].
func (*Noise) Products() int { return 0 }

// Fills implements [filler].
func (*Noise) Fills(*Program) bool { return true }

// String writes `noise s5`, or `noise s5 unless s1 - s2`.
func (s *Noise) String() string {
	if s.Known == nil {
		return "noise " + spanName(s.Out)
	}
	return line("noise %s unless %s", spanName(s.Out), spanNames(s.Known))
}

func parseNoise(ps *parser, _ int) Step {
	s := &Noise{Out: ps.spanID()}
	if ps.more() {
		ps.expect("unless")
		s.Known = ps.spansLeft()
	}
	return s
}

func (s *Noise) verify(v *verifier) {
	if !v.numbers(s.Out, "result", true) || s.Known == nil {
		return
	}
	if n := v.p.Spans[s.Out].Len; len(s.Known) != n {
		v.errorf("%d spans say what is known; want %d, one for each number", len(s.Known), n)
	}
	for _, id := range s.Known {
		if id != NoSpan && v.numbers(id, "known variable", false) {
			v.apart(s.Out, id)
		}
	}
}

// Tables implements [Op].
func (op *NoiseOp) Tables(visit TableVisitor) {
	visit.all(op.Known, Read)
	visit.one(op.Out, Write)
}

// States implements [Op].
func (*NoiseOp) States(*Schedule, StateVisitor) {}

// Products implements [Op].
func (*NoiseOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *NoiseOp) Text(s *Schedule) string {
	text := s.tables(op.Out) + " = standard normal draws"
	known := slices.DeleteFunc(slices.Clone(op.Known), func(t TableID) bool { return t == NoTable })
	if len(known) > 0 {
		text += " unless observed: " + s.tables(known...)
	}
	return text
}

func (op *NoiseOp) verify(v *scheduleVerifier, _ *OpBlock) { v.writable(op.Out) }

// Lower implements [Op].
func (op *NoiseOp) Lower(l *Lowering) Step {
	return &Noise{Out: l.Span(op.Out), Known: l.Spans(op.Known)}
}
