package ir

import "slices"

// UpdateIncumbent ends an iteration of a method that improves a dual bound. It updates the best
// assignment so far and measures progress. Best is as long as Program.State and holds the states of
// the least energy, which become the current states.
//
// The residual is raised to the larger of the two gains, and is 0 if the least energy has reached
// the bound. In the first two iterations it is the gap between the two.
type UpdateIncumbent struct {
	Run  IncumbentNumbers[SpanID]
	Best SpanID
}

// UpdateIncumbentOp is the operation of [UpdateIncumbent]. Lowering gives the best states a span of
// their own.
type UpdateIncumbentOp struct{ Run IncumbentNumbers[TableID] }

// incumbentReads is the number of leading fields of Run that an UpdateIncumbent only reads: Value
// and Bound.
const incumbentReads = 2

// Refs implements [Step].
func (s *UpdateIncumbent) Refs(visit RefVisitor) {
	visit.each(s.Run.All()[:incumbentReads], Read)
	visit.each(s.Run.All()[incumbentReads:], Change)
	visit.one(&s.Best, Change)
}

// States implements [Step]. The step reads and sets the states as a whole.
func (*UpdateIncumbent) States(*Program, StateVisitor) {}

// Products implements [Step].
func (*UpdateIncumbent) Products() int { return 0 }

// String writes `updateincumbent s1 s2 s3 s4 s5 s6 s7 s8 best s9`.
func (s *UpdateIncumbent) String() string {
	return line("updateincumbent %s best %s", spanNames(values(s.Run.All())), spanName(s.Best))
}

func parseUpdateIncumbent(ps *parser, _ int) Step {
	s := &UpdateIncumbent{}
	ps.set(s.Run.All())
	s.Best = ps.named("best")
	return s
}

func (s *UpdateIncumbent) verify(v *verifier) {
	run := values(s.Run.All())
	for i, id := range run {
		v.one(id, "a number of the run")
		if slices.Contains(run[:i], id) {
			v.errorf("s%d occurs twice for a number of the run", id)
		}
	}
	if v.p.State == NoSpan || !v.known(v.p.State) || !v.known(s.Best) || v.p.Spans[s.Best].Elem != Int32 || s.Best == v.p.State ||
		v.p.Spans[s.Best].Len != v.p.Spans[v.p.State].Len {
		v.errorf("best states in s%d; want a span of integers as long as the states", s.Best)
	}
}

// Tables implements [Op].
func (op *UpdateIncumbentOp) Tables(visit TableVisitor) {
	visit.each(op.Run.All()[:incumbentReads], Read)
	visit.each(op.Run.All()[incumbentReads:], Change)
}

// States implements [Op].
func (*UpdateIncumbentOp) States(*Schedule, StateVisitor) {}

// Products implements [Op].
func (*UpdateIncumbentOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *UpdateIncumbentOp) Text(s *Schedule) string {
	return "updateincumbent " + s.tables(values(op.Run.All())...)
}

func (op *UpdateIncumbentOp) verify(v *scheduleVerifier, _ *OpBlock) {
	v.scalars(values(op.Run.All())...)
}

// Lower implements [Op].
func (op *UpdateIncumbentOp) Lower(l *Lowering) Step {
	s := &UpdateIncumbent{Best: l.AddSpan(Span{Name: "best states", Elem: Int32, Role: RolePersistent, Len: len(l.schedule.Model.Vars), Var: -1})}
	l.numbers(op.Run.All(), s.Run.All())
	return s
}
