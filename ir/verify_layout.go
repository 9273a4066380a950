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
		if s.Offset < 0 || s.Len > sizes[m] || s.Offset > sizes[m]-s.Len {
			v.errorf("occupies %d to %d; its memory ends at %d", s.Offset, s.Offset+s.Len, sizes[m])
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
	if a != NoSpan && v.p.Spans[a].end() >= v.p.Spans[b].end() {
		return a
	}
	return b
}

func (s *Span) end() int { return s.Offset + s.Len }

// overlap reports whether two spans share an element of memory.
func overlap(p *Program, a, b SpanID) bool {
	x, y := &p.Spans[a], &p.Spans[b]
	return memoryOf(x) == memoryOf(y) && x.Offset < y.end() && y.Offset < x.end()
}
