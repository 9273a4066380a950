package ir

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Antilog sets Out to exp(In - m) where Weight is positive, and to 0 elsewhere. Most becomes m, the
// largest number of In where Weight is positive, and 0 if there is none. It turns a table of
// logarithms into one of numbers of at most 1, in which no number that matters underflows.
type Antilog struct {
	Out, Most  SpanID
	In, Weight SpanID
}

// AntilogOp is the operation of [Antilog].
type AntilogOp struct {
	Out, Most  TableID
	In, Weight TableID
}

// Refs implements [Step].
func (s *Antilog) Refs(visit RefVisitor) {
	visit.one(&s.In, Read)
	visit.one(&s.Weight, Read)
	visit.one(&s.Out, Write)
	visit.one(&s.Most, Write)
}

// States implements [Step].
func (*Antilog) States(*Program, StateVisitor) {}

// Products implements [Step].
func (*Antilog) Products() int { return 0 }

// Fills implements [filler].
func (*Antilog) Fills(*Program) bool { return true }

// String writes `antilog s5 most s6 = s7 weight s8`.
func (s *Antilog) String() string {
	return line("antilog %s most %s = %s weight %s", spanName(s.Out), spanName(s.Most), spanName(s.In), spanName(s.Weight))
}

func parseAntilog(ps *parser, _ int) Step {
	s := &Antilog{Out: ps.spanID(), Most: ps.named("most")}
	ps.expect("=")
	s.In, s.Weight = ps.spanID(), ps.named("weight")
	return s
}

func (s *Antilog) verify(v *verifier) {
	if !v.numbers(s.Out, "result", true) {
		return
	}
	v.one(s.Most, "the largest logarithm")
	for _, id := range []SpanID{s.In, s.Weight} {
		v.alike(s.Out, id, "operand")
		if v.known(id) {
			v.apart(s.Out, id)
			v.apart(s.Most, id)
		}
	}
	v.apart(s.Out, s.Most)
}

// antilogBits is the magnitude, in bits, that the static analysis takes the numbers of the result
// to have. It is the budget of strong evidence; no bound holds for the density of any value.
const antilogBits = 100

// Bound implements [Bounder].
func (s *Antilog) Bound(b *Bounds) (of Interval, table bool) {
	b.Span[s.Out] = Interval{-antilogBits, 0}
	return Interval{}, false
}

// keepsMask implements masker.
func (s *Antilog) keepsMask(mask []varSet, id SpanID, v model.VarID) bool {
	return id == s.Out && mask[s.Weight].has(v)
}

// Tables implements [Op].
func (op *AntilogOp) Tables(visit TableVisitor) {
	visit.all([]TableID{op.In, op.Weight}, Read)
	visit.all([]TableID{op.Out, op.Most}, Write)
}

// States implements [Op].
func (*AntilogOp) States(*Schedule, StateVisitor) {}

// Products implements [Op].
func (*AntilogOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *AntilogOp) Text(s *Schedule) string {
	return fmt.Sprintf("%s = exp(%s - %s) where %s", s.tables(op.Out), s.tables(op.In), s.tables(op.Most), s.tables(op.Weight))
}

func (op *AntilogOp) verify(v *scheduleVerifier, _ *OpBlock) {
	v.writable(op.Out)
	v.writable(op.Most)
	v.scalars(op.Most)
	v.sameScope(op.Out, op.In, op.Weight)
}

// Lower implements [Op].
func (op *AntilogOp) Lower(l *Lowering) Step {
	return &Antilog{Out: l.Span(op.Out), Most: l.Span(op.Most), In: l.Span(op.In), Weight: l.Span(op.Weight)}
}

// Enclose implements [encloser]. The number that logarithms are relative to is one near the
// largest, since any does.
func (s *Antilog) Enclose(m *Enclosed) {
	in, weight, out := m.Span(s.In), m.Span(s.Weight), m.Span(s.Out)
	top := math.Inf(-1)
	for i, x := range in {
		if weight[i].Hi > 0 && x.Hi <= math.MaxFloat64 {
			top = max(top, x.Hi)
		}
	}
	if math.IsInf(top, -1) {
		top = 0
	}
	m.Span(s.Most)[0] = Exactly(top)
	for i, x := range in {
		switch {
		case weight[i].Hi <= 0:
			out[i] = Exactly(0)
		case weight[i].Lo > 0:
			out[i] = x.Add(Exactly(-top)).Exp()
		default:
			out[i] = Enclosure{0, x.Add(Exactly(-top)).Exp().Hi}
		}
	}
}
