package eval

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
)

// layout is where the spans of a program lie in its three memories, and how large these are.
type layout struct {
	offset           []int
	copy             []int // of read-only spans: where a copy lies in work memory, or -1
	work, data, ints int
}

// layoutOf takes the places from p, or where a span has none, lays out all of them side by side.
func layoutOf(p *ir.Program) layout {
	l := layout{offset: make([]int, len(p.Spans)), copy: make([]int, len(p.Spans)), work: p.Work, data: p.Data, ints: p.Ints}
	for i := range p.Spans {
		l.offset[i], l.copy[i] = p.Spans[i].Offset, int(p.Spans[i].Copy)-1
		if l.offset[i] < 0 {
			return sideBySide(p)
		}
	}
	return l
}

// place returns where a span lies.
func (l *layout) place(id ir.SpanID) assemble.Place {
	return assemble.Place{Offset: l.offset[id], Copy: l.copy[id]}
}

func sideBySide(p *ir.Program) layout {
	l := layout{offset: make([]int, len(p.Spans)), copy: make([]int, len(p.Spans))}
	for i := range p.Spans {
		span, end := &p.Spans[i], &l.work
		l.copy[i] = -1
		switch {
		case span.Elem == ir.Int32:
			end = &l.ints
		case span.ReadOnly():
			end = &l.data
			l.copy[i] = l.work
			l.work += span.Len
		}
		l.offset[i] = *end
		*end += span.Len
	}
	return l
}
