package eval

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
)

// layout holds the places of a program's spans in its three memories, and the sizes of these.
type layout struct {
	offset           []int
	copy             []int // of read-only spans: the place of a copy in work memory, or -1
	work, data, ints int
}

// layoutOf returns the places in p or, if a span has none, places for all of them side by side.
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

// place returns the place of a span.
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
