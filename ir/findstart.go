package ir

import (
	"fmt"
	"strings"
)

// FindStart sets the variables of its levels to states at which no row's weight is zero. It
// searches by randomised backtracking, drawing one variable per level. Outcome becomes 1 if it
// found such states, 0 if there are none, and 2 if the search gave up.
type FindStart struct {
	Outcome SpanID
	Levels  []StartLevel
}

// StartLevel draws one variable given the variables of earlier levels. If no state is left, the
// search backtracks to level Back, the last level that can be the reason, or fails if Back is -1.
type StartLevel struct {
	Row
	Weights SpanID
	Back    int
}

// FindStartOp is the operation of [FindStart]. Its levels are in the order of the search.
type FindStartOp struct {
	Outcome TableID
	Levels  []StartLevelOp
}

// StartLevelOp draws the only variable of its row.
type StartLevelOp struct {
	RowOp
	Weights TableID
	Back    int
}

// Refs implements [Step].
func (s *FindStart) Refs(visit RefVisitor) {
	visit.one(&s.Outcome, Write)
	for i := range s.Levels {
		l := &s.Levels[i]
		l.Row.refs(visit)
		visit.one(&l.Weights, Write)
	}
}

// States implements [Step].
func (s *FindStart) States(_ *Program, visit StateVisitor) {
	for i := range s.Levels {
		s.Levels[i].Row.states(visit, Write)
	}
}

// Products implements [Step].
func (s *FindStart) Products() int {
	n := 0
	for i := range s.Levels {
		n += s.Levels[i].Row.products()
	}
	return n
}

// String writes `findstart s13 level s18 -1 [v0:2] = s15(1) trees end level s19 0 [v1:2] = trees
// end`.
func (s *FindStart) String() string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "findstart %s", spanName(s.Outcome))
	for i := range s.Levels {
		l := &s.Levels[i]
		fmt.Fprintf(b, " level %s %d %s", spanName(l.Weights), l.Back, l.Row.text())
	}
	return b.String()
}

func parseFindStart(ps *parser, _ int) Step {
	s := &FindStart{Outcome: ps.spanID()}
	for ps.more() {
		ps.expect("level")
		s.Levels = append(s.Levels, StartLevel{Weights: ps.spanID(), Back: ps.int(), Row: ps.row()})
	}
	return s
}

func (s *FindStart) verify(v *verifier) {
	v.one(s.Outcome, "outcome")
	for i := range s.Levels {
		l := &s.Levels[i]
		l.Row.verify(v, l.Weights)
		if drawn, _ := l.Drawn(); drawn > 1 || l.Back < -1 || l.Back >= i {
			v.errorf("level %d draws %d variables and goes back to level %d", i, drawn, l.Back)
		}
	}
}

// Tables implements [Op]. The weights of each level persist while the search is at later levels.
func (op *FindStartOp) Tables(visit TableVisitor) {
	for i := range op.Levels {
		op.Levels[i].RowOp.refs(visit)
		visit.one(op.Levels[i].Weights, Change)
	}
	visit.one(op.Outcome, Write)
}

// States implements [Op].
func (op *FindStartOp) States(s *Schedule, visit StateVisitor) {
	for i := range op.Levels {
		l := &op.Levels[i]
		s.visitOthers(l.In, l.Vars[0], visit)
		visit(l.Vars[0], Write)
	}
}

// Products implements [Op].
func (*FindStartOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *FindStartOp) Text(s *Schedule) string {
	text := "findstart"
	for i := range op.Levels {
		text += fmt.Sprintf("\n\t\t%d, else %d: %s", i, op.Levels[i].Back, op.Levels[i].RowOp.text(s))
	}
	return text
}

func (op *FindStartOp) verify(v *scheduleVerifier, _ *OpBlock) {
	v.scalars(op.Outcome)
	for i := range op.Levels {
		op.Levels[i].RowOp.verify(v, op.Levels[i].Weights)
	}
}

// Lower implements [Op].
func (op *FindStartOp) Lower(l *Lowering) Step {
	s := &FindStart{Outcome: l.Span(op.Outcome)}
	for i := range op.Levels {
		level := &op.Levels[i]
		s.Levels = append(s.Levels, StartLevel{Row: level.RowOp.lower(l), Weights: l.Span(level.Weights), Back: level.Back})
	}
	return s
}
