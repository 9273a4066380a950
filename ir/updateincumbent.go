package ir

import "slices"

// UpdateIncumbent ends an iteration of a method that improves a dual bound. It updates the best
// assignment so far and measures progress. Run holds one number each: the energy of the states that
// the iteration chose, the lower bound on all energies, the current and the previous improvement of
// the bound, the previous bound, the least energy so far, the number of iterations, and the
// residual. Best is as long as Program.State and holds the states of the least energy, which become
// the current states.
//
// The residual is raised to the larger of the two improvements, and is 0 if the least energy has
// reached the bound. In the first two iterations it is the gap between the two.
type UpdateIncumbent struct {
	Run  [IncumbentNumbers]SpanID
	Best SpanID
}

// IncumbentNumbers is the number of spans in UpdateIncumbent.Run.
const IncumbentNumbers = 8

// UpdateIncumbentOp is the operation of [UpdateIncumbent]. Lowering gives the best states a span of
// their own.
type UpdateIncumbentOp struct{ Run [IncumbentNumbers]TableID }

// incumbentReads is the number of leading spans of Run that an UpdateIncumbent only reads: the
// energy and the bound.
const incumbentReads = 2

// Refs implements [Step].
func (s *UpdateIncumbent) Refs(visit RefVisitor) {
	visit.all(s.Run[:incumbentReads], Read)
	visit.all(s.Run[incumbentReads:], Change)
	visit.one(&s.Best, Change)
}

// States implements [Step]. The step reads and sets the states as a whole.
func (*UpdateIncumbent) States(*Program, StateVisitor) {}

// Products implements [Step].
func (*UpdateIncumbent) Products() int { return 0 }

// String writes `updateincumbent s1 s2 s3 s4 s5 s6 s7 s8 best s9`.
func (s *UpdateIncumbent) String() string {
	return line("updateincumbent %s best %s", spanNames(s.Run[:]), spanName(s.Best))
}

func parseUpdateIncumbent(ps *parser, _ int) Step {
	s := &UpdateIncumbent{}
	for i := range s.Run {
		s.Run[i] = ps.spanID()
	}
	s.Best = ps.named("best")
	return s
}

func (s *UpdateIncumbent) verify(v *verifier) {
	for i, id := range s.Run {
		v.one(id, "a number of the run")
		if slices.Contains(s.Run[:i], id) {
			v.errorf("s%d stands twice for a number of the run", id)
		}
	}
	if v.p.State == NoSpan || !v.known(v.p.State) || !v.known(s.Best) || v.p.Spans[s.Best].Elem != Int32 || s.Best == v.p.State ||
		v.p.Spans[s.Best].Len != v.p.Spans[v.p.State].Len {
		v.errorf("best states in s%d; want a span of integers as long as the states", s.Best)
	}
}

// Tables implements [Op].
func (op *UpdateIncumbentOp) Tables(visit TableVisitor) {
	visit.all(op.Run[:incumbentReads], Read)
	visit.all(op.Run[incumbentReads:], Change)
}

// States implements [Op].
func (*UpdateIncumbentOp) States(*Schedule, StateVisitor) {}

// Products implements [Op].
func (*UpdateIncumbentOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *UpdateIncumbentOp) Text(s *Schedule) string {
	return "updateincumbent " + s.tables(op.Run[:]...)
}

func (op *UpdateIncumbentOp) verify(v *scheduleVerifier, _ *OpBlock) { v.scalars(op.Run[:]...) }

// Lower implements [Op].
func (op *UpdateIncumbentOp) Lower(l *Lowering) Step {
	s := &UpdateIncumbent{Best: l.AddSpan(Span{Name: "best states", Elem: Int32, Role: RolePersistent, Len: len(l.schedule.Model.Vars), Var: -1})}
	copy(s.Run[:], l.Spans(op.Run[:]))
	return s
}
