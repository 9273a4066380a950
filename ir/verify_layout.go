package ir

import (
	"cmp"
	"fmt"
	"slices"
)

// laidOut reports whether spans have places.
func (v *verifier) laidOut() bool {
	p := v.p
	return p.Work > 0 || p.Data > 0 || p.Ints > 0 || slices.ContainsFunc(p.Spans, func(s Span) bool { return s.Offset >= 0 })
}

// layout checks, once spans have places, that each lies within its memory, and that only
// temporaries share places.
func (v *verifier) layout() {
	if !v.laidOut() {
		return
	}
	sizes := [...]int{workMemory: v.p.Work, dataMemory: v.p.Data, intsMemory: v.p.Ints}
	var order [len(sizes)][]SpanID
	for i := range v.p.Spans {
		s := &v.p.Spans[i]
		v.at = fmt.Sprintf("span s%d %q: ", i, s.Name)
		m := memoryOf(s)
		room := v.p.Room(SpanID(i))
		if s.Role == RoleIn && v.p.Align > 0 {
			room += v.p.Align - 1
		}
		if s.Offset < 0 || room > sizes[m] || s.Offset > sizes[m]-room {
			v.errorf("occupies %d to %d; its memory ends at %d", s.Offset, s.Offset+room, sizes[m])
		}
		if m == workMemory && s.Role != RoleIn && v.p.Align > 1 && s.Offset%v.p.Align != 0 {
			v.errorf("begins at %d; want a multiple of %d", s.Offset, v.p.Align)
		}
		order[m] = append(order[m], SpanID(i))
	}
	for _, spans := range order {
		v.disjoint(spans)
	}
}

// The memories of a program.
const (
	workMemory = iota
	dataMemory
	intsMemory
)

func memoryOf(s *Span) int {
	switch {
	case s.Elem == Int32:
		return intsMemory
	case s.ReadOnly():
		return dataMemory
	}
	return workMemory
}

// disjoint checks that no two spans of one memory overlap, unless both are temporaries.
func (v *verifier) disjoint(spans []SpanID) {
	p := v.p
	slices.SortFunc(spans, func(a, b SpanID) int { return cmp.Compare(p.Spans[a].Offset, p.Spans[b].Offset) })
	last, own := NoSpan, NoSpan // among the spans so far: the one that ends last, and the one that ends last of those that do not share
	for _, id := range spans {
		before := own
		if !v.shares(id) {
			before = last
		}
		if before != NoSpan && overlap(p, before, id) {
			v.at = fmt.Sprintf("span s%d %q: ", id, p.Spans[id].Name)
			v.errorf("overlaps s%d; want only temporaries to overlap", before)
		}
		last = v.later(last, id)
		if !v.shares(id) {
			own = v.later(own, id)
		}
	}
}

// shares reports whether a span may share memory with others. The caller reads the states, so they
// may not.
func (v *verifier) shares(id SpanID) bool { return v.p.Spans[id].Role == RoleTemp && id != v.p.State }

// later returns the one of two spans that ends later; a may be absent.
func (v *verifier) later(a, b SpanID) SpanID {
	if a != NoSpan && v.p.end(a) >= v.p.end(b) {
		return a
	}
	return b
}

func (p *Program) end(id SpanID) int { return p.Spans[id].Offset + p.Room(id) }

// overlap reports whether two spans share an element of memory.
func overlap(p *Program, a, b SpanID) bool {
	x, y := &p.Spans[a], &p.Spans[b]
	return memoryOf(x) == memoryOf(y) && x.Offset < p.end(b) && y.Offset < p.end(a)
}
