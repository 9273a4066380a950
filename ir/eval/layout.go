package eval

import "github.com/pgmc-go/pgmc/ir"

// layout is where the spans of a program lie in its three memories, and how large these are.
type layout struct {
	offset           []int
	work, data, ints int
}

// layoutOf takes the places from p, or where a span has none, lays out all of them side by side.
func layoutOf(p *ir.Program) layout {
	l := layout{offset: make([]int, len(p.Spans)), work: p.Work, data: p.Data, ints: p.Ints}
	for i := range p.Spans {
		l.offset[i] = p.Spans[i].Offset
		if l.offset[i] < 0 {
			return sideBySide(p)
		}
	}
	return l
}

func sideBySide(p *ir.Program) layout {
	l := layout{offset: make([]int, len(p.Spans))}
	for i := range p.Spans {
		span, end := &p.Spans[i], &l.work
		switch {
		case span.Elem == ir.Int32:
			end = &l.ints
		case span.ReadOnly():
			end = &l.data
		}
		l.offset[i] = *end
		*end += span.Len
	}
	return l
}
