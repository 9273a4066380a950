package ir

// Noise sets the numbers of Out to independent draws from the normal distribution of mean 0 and
// variance 1, in order.
type Noise struct{ Out SpanID }

// NoiseOp is the operation of [Noise].
type NoiseOp struct{ Out TableID }

// Refs implements [Step].
func (s *Noise) Refs(visit RefVisitor) { visit.one(&s.Out, Write) }

// States implements [Step].
func (*Noise) States(*Program, StateVisitor) {}

// Products implements [Step].
func (*Noise) Products() int { return 0 }

// Fills implements [Filler].
func (*Noise) Fills(*Program) bool { return true }

// String writes `noise s5`.
func (s *Noise) String() string { return "noise " + spanName(s.Out) }

func parseNoise(ps *parser, _ int) Step { return &Noise{ps.spanID()} }

func (s *Noise) verify(v *verifier) { v.numbers(s.Out, "result", true) }

// Tables implements [Op].
func (op *NoiseOp) Tables(visit TableVisitor) { visit.one(op.Out, Write) }

// States implements [Op].
func (*NoiseOp) States(*Schedule, StateVisitor) {}

// Products implements [Op].
func (*NoiseOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *NoiseOp) Text(s *Schedule) string { return s.tables(op.Out) + " = standard normal draws" }

func (op *NoiseOp) verify(v *scheduleVerifier, _ *OpBlock) { v.writable(op.Out) }

// Lower implements [Op].
func (op *NoiseOp) Lower(l *Lowering) Step { return &Noise{Out: l.Span(op.Out)} }
