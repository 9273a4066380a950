package ir

import (
	"fmt"
	"slices"
)

// Resample draws the joint state of the looping variables of its row in proportion to the weights.
// It adds the normalised weights of each variable's states to its tally, which may be NoSpan.
// Weights is scratch memory for the weights. If Scaled is set, powers of two keep the products in
// range. If all weights are zero, the states stay and count as drawn. This happens only by
// rounding, or if the CPDs of a dependency network contradict the evidence.
type Resample struct {
	Row
	Weights SpanID
	Tallies []SpanID
	Scaled  bool
}

// ResampleOp is the operation of [Resample]. It draws the variables of its row. A tally may be
// NoTable.
type ResampleOp struct {
	RowOp
	Weights TableID
	Tallies []TableID
	Scaled  bool
}

// Refs implements [Step].
func (s *Resample) Refs(visit RefVisitor) {
	s.Row.refs(visit)
	visit.all(s.Tallies, Change)
	visit.one(&s.Weights, Write)
}

// States implements [Step].
func (s *Resample) States(_ *Program, visit StateVisitor) { s.Row.states(visit, Change) }

// Products implements [Step].
func (s *Resample) Products() int { return s.Row.products() }

// String writes `resample scaled s17 tallies s1 - row [v0:2 v1:2] = s15(1 0) trees end`.
func (s *Resample) String() string {
	scaled := ""
	if s.Scaled {
		scaled = " scaled"
	}
	return fmt.Sprintf("resample%s %s tallies %s row %s", scaled, spanName(s.Weights), spanNames(s.Tallies), s.Row.text())
}

func parseResample(ps *parser, _ int) Step {
	s := &Resample{}
	w := ps.word()
	if s.Scaled = w == "scaled"; s.Scaled {
		w = ps.word()
	}
	s.Weights = ps.spanOf(w)
	ps.expect("tallies")
	for w := ps.word(); w != "row"; w = ps.word() {
		s.Tallies = append(s.Tallies, ps.spanOf(w))
	}
	s.Row = ps.row()
	return s
}

func (s *Resample) verify(v *verifier) {
	s.Row.verify(v, s.Weights)
	drawn, _ := s.Drawn()
	if len(s.Tallies) != drawn {
		v.errorf("%d tallies for %d variables", len(s.Tallies), drawn)
		return
	}
	for i, id := range s.Tallies {
		if id == NoSpan {
			continue
		}
		if v.numbers(id, "tally", true) && v.p.Spans[id].Len != s.Axes[i].Size {
			v.errorf("tally s%d has %d numbers; want %d", id, v.p.Spans[id].Len, s.Axes[i].Size)
		}
	}
}

// Tables implements [Op].
func (op *ResampleOp) Tables(visit TableVisitor) {
	op.RowOp.refs(visit)
	visit.all(op.Tallies, Change)
	visit.one(op.Weights, Write)
}

// States implements [Op].
func (op *ResampleOp) States(s *Schedule, visit StateVisitor) {
	for _, t := range op.In {
		s.visitScope(t, visit)
	}
	for _, v := range op.Vars {
		visit(v, Change)
	}
}

// Products implements [Op].
func (*ResampleOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *ResampleOp) Text(s *Schedule) string { return "resample " + op.RowOp.text(s) }

func (op *ResampleOp) verify(v *scheduleVerifier, _ *OpBlock) {
	op.RowOp.verify(v, op.Weights)
	if len(op.Tallies) != len(op.Vars) {
		v.errorf("%d tallies for %d variables", len(op.Tallies), len(op.Vars))
		return
	}
	for i, t := range op.Tallies {
		if t != NoTable && v.writable(t) && !slices.Equal(v.s.Tables[t].Scope, op.Vars[i:i+1]) {
			v.errorf("tally t%d is over %v; want %q", t, v.s.Tables[t].Scope, v.name(op.Vars[i]))
		}
	}
}

// Lower implements [Op].
func (op *ResampleOp) Lower(l *Lowering) Step {
	return &Resample{Row: op.RowOp.lower(l), Weights: l.Span(op.Weights), Tallies: l.Spans(op.Tallies), Scaled: op.Scaled}
}
