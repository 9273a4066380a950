package ir

import "math"

// loop checks that the queries that iterate have a loop, and no others.
func (l *faultList) loop(q *Query, loop bool) {
	if int(q.Kind) < len(queryKinds) && q.Kind.Iterates() != loop {
		l.errorf("%v, which has %s loop", q.Kind, map[bool]string{true: "no", false: "a"}[q.Kind.Iterates()])
	}
}

// loopOptions checks the numbers of a loop over some of n blocks.
func (l *faultList) loopOptions(first, end, n int, o LoopOptions) {
	if first < 0 || first >= end || end > n {
		l.errorf("loop over the blocks from %d to before %d of %d", first, end, n)
	}
	if !o.Valid() {
		l.errorf("loop of %d rounds with tolerance %v and damping %v", o.Iterations, o.Tolerance, o.Damping)
	}
}

// loopOf checks the references of the loop of e.
func (v *verifier) loopOf(e *Entry) {
	v.loop(e.Query, e.Loop != nil)
	if e.Loop == nil {
		return
	}
	v.loopOptions(e.Loop.First, e.Loop.End, len(e.Blocks), e.Loop.LoopOptions)
	for _, id := range present(e.Loop.Residual, e.Loop.Rate, e.Loop.LogP, e.Loop.Bound) {
		v.one(id, "a number of the loop")
	}
	if r := e.Loop.Rate; v.known(r) && v.p.Spans[r].Role != RolePersistent {
		v.errorf("damping s%d is %v; want a persistent span", r, v.p.Spans[r].Role)
	}
	if e.Exp != NoSpan {
		v.errorf("exponent of an entry with a loop")
	}
}

// one checks that id is one number that steps may write.
func (v *verifier) one(id SpanID, what string) {
	if v.numbers(id, what, true) && v.p.Spans[id].Len != 1 {
		v.errorf("%s, s%d, has %d numbers; want 1", what, id, v.p.Spans[id].Len)
	}
}

// alike checks that two spans of numbers have one length.
func (v *verifier) alike(a, b SpanID, what string) {
	if v.numbers(b, what, false) && v.known(a) && v.p.Spans[a].Len != v.p.Spans[b].Len {
		v.errorf("%s s%d has %d numbers; want %d, as s%d has", what, b, v.p.Spans[b].Len, v.p.Spans[a].Len, a)
	}
}

func (v *verifier) damp(s *Damp) {
	if v.numbers(s.Span, "operand", true) {
		v.alike(s.Span, s.New, "new value")
		v.apart(s.Span, s.New)
	}
	v.one(s.Residual, "residual")
	if v.numbers(s.Rate, "rate", false) && v.p.Spans[s.Rate].Len != 1 {
		v.errorf("rate s%d has %d numbers; want 1", s.Rate, v.p.Spans[s.Rate].Len)
	}
}

func (v *verifier) boltzmann(s *Boltzmann) {
	if !v.numbers(s.Out, "result", true) {
		return
	}
	for _, id := range present(append([]SpanID{s.Weight}, s.In...)...) {
		v.alike(s.Out, id, "operand")
		if v.known(id) {
			v.apart(s.Out, id)
		}
	}
}

func (v *verifier) tally(s *Tally) {
	if s.Kind > TallyEntropy {
		v.errorf("no such tally: %d", s.Kind)
	}
	if math.IsNaN(s.Factor) || math.IsInf(s.Factor, 0) {
		v.errorf("tally of %v times a sum", s.Factor)
	}
	v.one(s.Total, "total")
	v.numbers(s.In, "operand", false)
	if (s.Alive != NoSpan) != (s.Kind == TallyLog) || s.Ref != NoSpan && s.Kind != TallyEntropy {
		v.errorf("%v with alive %s and ref %s", s.Kind, spanName(s.Alive), spanName(s.Ref))
	}
	if s.Alive != NoSpan {
		v.one(s.Alive, "alive")
	}
	if s.Ref != NoSpan {
		v.alike(s.In, s.Ref, "reference")
	}
}

// turns are the blocks of e in the order in which they run, those of a loop twice: what holds in the second round holds in all later ones.
func (e *Entry) turns() []int { return turns(e.Blocks, e.Loop) }

func turns(blocks []int, l *Loop) []int {
	if l == nil {
		return blocks
	}
	out := append([]int(nil), blocks[:l.End]...)
	return append(append(out, blocks[l.First:l.End]...), blocks[l.End:]...)
}
