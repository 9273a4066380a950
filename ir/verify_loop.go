package ir

import (
	"math"
	"slices"
)

// loop checks that the queries that iterate have a loop, and no others.
func (l *faultList) loop(q *Query, loop bool) {
	if q.Kind.Valid() && (q.Kind.Run() == RunLoop) != loop {
		l.errorf("%v, which has %s loop", q.Kind, map[bool]string{true: "a", false: "no"}[loop])
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
	v.queue(e)
	v.decodeOf(e)
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

// queue checks the items of a loop.
func (v *verifier) queue(e *Entry) {
	q := e.Loop.Queue
	if q == nil && e.Loop.Priority {
		v.errorf("priorities without a queue")
	}
	for i, item := range q {
		if i == 0 && item.First != e.Loop.First || i > 0 && item.First <= q[i-1].First || item.First >= e.Loop.End {
			v.errorf("item %d begins with block %d of its entry", i, item.First)
		}
		for _, x := range item.Push {
			if x < 0 || int(x) >= len(q) {
				v.errorf("item %d pushes item %d of %d", i, x, len(q))
			}
		}
	}
}

// forgets reports whether no temporary may be relied on from the block at a place on: where an item begins, and behind a queue.
func (l *Loop) forgets(place int) bool {
	if l == nil || l.Queue == nil {
		return false
	}
	return place == l.End || slices.ContainsFunc(l.Queue, func(x Item) bool { return x.First == place })
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

func (v *verifier) powers(s *Powers) {
	if !v.numbers(s.Out, "result", true) {
		return
	}
	if len(s.In) == 0 || len(s.In) != len(s.Power) {
		v.errorf("%d powers of %d spans; want one each, and one span at least", len(s.Power), len(s.In))
	}
	for _, id := range s.In {
		v.alike(s.Out, id, "operand")
		if v.known(id) {
			v.apart(s.Out, id)
		}
	}
	for _, x := range s.Power {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			v.errorf("power %v", x)
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

// turns are places of n blocks in the order in which they run, those of a loop twice: what holds in the second round holds in all later
// ones.
func (l *Loop) turns(n int) (places []int) {
	for i := range n {
		if l != nil && i == l.End {
			for k := l.First; k < l.End; k++ {
				places = append(places, k)
			}
		}
		places = append(places, i)
	}
	return places
}

// turns are places of the blocks of e in the order in which they run.
func (e *Entry) turns() []int {
	if e.Chain != nil {
		return chainTurns(len(e.Blocks), e.Chain.Cut)
	}
	return e.Loop.turns(len(e.Blocks))
}
