package ir

import (
	"fmt"
	"strings"
)

// Seek sets the states of the variables of its levels so that no row's weight is zero, by a
// randomised search with backtracking that draws each variable in turn. Outcome becomes 1, or 0
// if there are no such states, or 2 if the search gave up.
type Seek struct {
	Outcome SpanID
	Levels  []SeekLevel
}

// SeekLevel draws one variable, given those of earlier levels. If no state is left, the reason
// lies at level Back or before it; -1 is for no such level.
type SeekLevel struct {
	Row
	Weights SpanID
	Back    int
}

// SeekOp has its levels in the order of the search. [Seek] is its step.
type SeekOp struct {
	Outcome TableID
	Levels  []SeekLevelOp
}

// SeekLevelOp draws the one variable of its row.
type SeekLevelOp struct {
	RowOp
	Weights TableID
	Back    int
}

// Refs implements [Step].
func (s *Seek) Refs(visit RefVisitor) {
	visit.one(&s.Outcome, Write)
	for i := range s.Levels {
		l := &s.Levels[i]
		l.Row.refs(visit)
		visit.one(&l.Weights, Write)
	}
}

// States implements [Step].
func (s *Seek) States(_ *Program, visit StateVisitor) {
	for i := range s.Levels {
		s.Levels[i].Row.states(visit, Write)
	}
}

// Products implements [Step].
func (s *Seek) Products() int {
	n := 0
	for i := range s.Levels {
		n += s.Levels[i].Row.products()
	}
	return n
}

// String writes `seek s13 level s18 -1 [v0:2] = s15(1) trees end level s19 0 [v1:2] = trees end`.
func (s *Seek) String() string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "seek %s", spanName(s.Outcome))
	for i := range s.Levels {
		l := &s.Levels[i]
		fmt.Fprintf(b, " level %s %d %s", spanName(l.Weights), l.Back, l.Row.text())
	}
	return b.String()
}

func parseSeek(ps *parser, _ int) Step {
	s := &Seek{Outcome: ps.spanID()}
	for ps.more() {
		ps.expect("level")
		s.Levels = append(s.Levels, SeekLevel{Weights: ps.spanID(), Back: ps.int(), Row: ps.row()})
	}
	return s
}

func (s *Seek) verify(v *verifier) {
	v.one(s.Outcome, "outcome")
	for i := range s.Levels {
		l := &s.Levels[i]
		l.Row.verify(v, l.Weights)
		if drawn, _ := l.Drawn(); drawn > 1 || l.Back < -1 || l.Back >= i {
			v.errorf("level %d draws %d variables and goes back to level %d", i, drawn, l.Back)
		}
	}
}

// Tables implements [Op]. Weights keep their memory from one level to the next.
func (op *SeekOp) Tables(visit TableVisitor) {
	for i := range op.Levels {
		op.Levels[i].RowOp.refs(visit)
		visit.one(op.Levels[i].Weights, Change)
	}
	visit.one(op.Outcome, Write)
}

// States implements [Op].
func (op *SeekOp) States(s *Schedule, visit StateVisitor) {
	for i := range op.Levels {
		l := &op.Levels[i]
		s.visitOthers(l.In, l.Vars[0], visit)
		visit(l.Vars[0], Write)
	}
}

// Products implements [Op].
func (*SeekOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *SeekOp) Text(s *Schedule) string {
	text := "seek"
	for i := range op.Levels {
		text += fmt.Sprintf("\n\t\t%d, else %d: %s", i, op.Levels[i].Back, op.Levels[i].RowOp.text(s))
	}
	return text
}

func (op *SeekOp) verify(v *scheduleVerifier, _ *OpBlock) {
	v.scalars(op.Outcome)
	for i := range op.Levels {
		op.Levels[i].RowOp.verify(v, op.Levels[i].Weights)
	}
}

// Lower implements [Op].
func (op *SeekOp) Lower(l *Lowering) Step {
	s := &Seek{Outcome: l.Span(op.Outcome)}
	for i := range op.Levels {
		level := &op.Levels[i]
		s.Levels = append(s.Levels, SeekLevel{Row: level.RowOp.lower(l), Weights: l.Span(level.Weights), Back: level.Back})
	}
	return s
}
