package ir

import (
	"math"
	"slices"
)

// boundElements computes the bounds of each element of the result from the bounds of the elements
// of the operands, stores them in b, and returns the bounds of the whole.
func (c *Contract) boundElements(b *Bounds) (of Interval) {
	out := make([]Interval, b.Program.Spans[c.Out.Span].Len)
	for i := range out {
		out[i] = nothing
	}
	in := make([][]Interval, len(c.In))
	for k, v := range c.In {
		in[k] = b.elements(v.Span)
	}
	for to, at := range c.elements() {
		x := Interval{}
		for k, i := range at {
			x.Lo, x.Hi = x.Lo+in[k][i].Lo, x.Hi+in[k][i].Hi
		}
		if x.Lo <= x.Hi {
			out[to] = out[to].or(x, c.Reduce == ReduceSum)
		}
	}
	b.Element[c.Out.Span] = out
	of = nothing
	for _, x := range out {
		of = of.or(x, false)
	}
	return of
}

// nothing is the interval of numbers that are all zero.
var nothing = Interval{math.Inf(1), math.Inf(-1)}

// or returns bounds on numbers that are within i or within j, or with sum also on the sum of both.
func (i Interval) or(j Interval, sum bool) Interval {
	least, most := min(i.Lo, j.Lo), max(i.Hi, j.Hi)
	if small := min(i.Hi, j.Hi); sum && small > most-64 {
		most += math.Log2(1 + math.Exp2(small-most))
	}
	return Interval{least, most}
}

// whole reports whether c sets all elements of its result and looks at no observed state.
func (c *Contract) whole() bool {
	return !slices.ContainsFunc(c.Axes, func(a Axis) bool { return a.Kind == AxisFixed })
}

// elements returns bounds on the elements of a span. The caller must not change them.
func (b *Bounds) elements(id SpanID) []Interval {
	if known := b.Element[id]; known != nil {
		return known
	}
	s := &b.Program.Spans[id]
	out := make([]Interval, s.Len)
	for i := range out {
		out[i] = b.Span[id]
		if s.ReadOnly() {
			out[i] = IntervalOf(s.Data[i : i+1])
		}
	}
	return out
}
