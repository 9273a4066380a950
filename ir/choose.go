package ir

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Choose sets the variable of Axis to a state of least energy. The energy of a state is the sum of
// its energies in the spans of In; the first state within a relative 2^-40 of the least wins.
// Choose adds the energies of this state in the first Final spans of In to Value. It sets Ties to 1
// if Belief, another span of energies of the states, has a second state within 1e-7 of its least.
// See [MinSum] for energies.
type Choose struct {
	Axis                Axis
	In                  []SpanID
	Final               int
	Value, Ties, Belief SpanID
}

// ChooseOp is the operation of [Choose]. It sets the state of Var.
type ChooseOp struct {
	Var                 model.VarID
	In                  []TableID
	Final               int
	Value, Ties, Belief TableID
}

// Refs implements [Step].
func (s *Choose) Refs(visit RefVisitor) {
	visit.all(s.In, Read)
	visit.one(&s.Belief, Read)
	visit.one(&s.Value, Change)
	visit.one(&s.Ties, Change)
}

// States implements [Step].
func (s *Choose) States(_ *Program, visit StateVisitor) { visit(s.Axis.Var, Write) }

// Products implements [Step].
func (*Choose) Products() int { return 0 }

// String writes `choose [v0:2] = s1 s3 final 1 value s4 ties s5 belief s7`.
func (s *Choose) String() string {
	return line("choose %s = %s final %d value %s ties %s belief %s", axesText([]Axis{s.Axis}), spanNames(s.In), s.Final, spanName(s.Value),
		spanName(s.Ties), spanName(s.Belief))
}

func parseChoose(ps *parser, _ int) Step {
	s := &Choose{}
	if axes := ps.axes(); len(axes) == 1 {
		s.Axis = axes[0]
	}
	ps.expect("=")
	s.In = ps.spansTo("final")
	s.Final = ps.int()
	s.Value, s.Ties, s.Belief = ps.named("value"), ps.named("ties"), ps.named("belief")
	return s
}

func (s *Choose) verify(v *verifier) {
	v.axes([]Axis{s.Axis})
	v.stateOf(s.Axis.Var)
	for _, id := range append([]SpanID{s.Belief}, s.In...) {
		if v.numbers(id, "operand", false) && v.p.Spans[id].Len != s.Axis.Size {
			v.errorf("operand s%d has %d numbers; want %d, one for each state", id, v.p.Spans[id].Len, s.Axis.Size)
		}
	}
	if s.Axis.Kind != AxisOut || s.Final < 0 || s.Final > len(s.In) {
		v.errorf("a choice of which %d of %d operands are final", s.Final, len(s.In))
	}
	v.one(s.Value, "value")
	v.one(s.Ties, "ties")
}

// Tables implements [Op].
func (op *ChooseOp) Tables(visit TableVisitor) {
	visit.all(op.In, Read)
	visit.one(op.Belief, Read)
	visit.one(op.Value, Change)
	visit.one(op.Ties, Change)
}

// States implements [Op].
func (op *ChooseOp) States(_ *Schedule, visit StateVisitor) { visit(op.Var, Write) }

// Products implements [Op].
func (*ChooseOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *ChooseOp) Text(s *Schedule) string {
	return fmt.Sprintf("choose %s by %s", s.Model.Vars[op.Var].Name, s.tables(op.In...))
}

func (op *ChooseOp) verify(v *scheduleVerifier, _ *OpBlock) {
	v.tables(op.In...)
	v.scalars(op.Value, op.Ties)
}

// Lower implements [Op].
func (op *ChooseOp) Lower(l *Lowering) Step {
	return &Choose{Axis: Axis{Var: op.Var, Size: l.schedule.Model.Card(op.Var)}, In: l.Spans(op.In), Final: op.Final,
		Value: l.Span(op.Value), Ties: l.Span(op.Ties), Belief: l.Span(op.Belief)}
}
