package vector

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// Pattern is how the places of four numbers lie to each other. The instructions that load them
// depend on it.
type Pattern uint8

// The patterns, from cheap to dear.
const (
	Contiguous Pattern = iota // a, a+1, a+2, a+3
	Same                      // a, a, a, a
	Pairs                     // a, a+1, a, a+1
	Window                    // any of a to a+3
	Halves                    // two halves, each of which is contiguous or one number
	Scattered                 // anything else
)

// PatternOf returns the first pattern that fits.
func PatternOf(at [Lanes]int32) Pattern {
	low, high := [2]int32(at[:2]), [2]int32(at[2:])
	switch {
	case at == [Lanes]int32{at[0], at[0] + 1, at[0] + 2, at[0] + 3}:
		return Contiguous
	case at == [Lanes]int32{at[0], at[0], at[0], at[0]}:
		return Same
	case low == high && low[1] == low[0]+1:
		return Pairs
	case slices.Max(at[:])-slices.Min(at[:]) < Lanes:
		return Window
	case half(low) && half(high):
		return Halves
	}
	return Scattered
}

// half reports whether two places are neighbours, or one place.
func half(at [2]int32) bool { return at[1] == at[0] || at[1] == at[0]+1 }

// Begin returns the first of the four places that a load of pattern Window reads. They all lie
// within its span.
func Begin(p *ir.Program, n *Node) int32 {
	return min(slices.Min(n.At[:]), reach(p, n.Span)-Lanes)
}

// load returns the vector of the given elements of an operand. Only the given lanes matter; the
// others are those that make the load cheapest, and 0 for constants. If elements is set, they are
// elements of the operand and not padding, which may hold anything.
func (g *Graph) load(c *ir.Contract, v *ir.View, at [Lanes]int32, lanes mask, elements bool) ID {
	id := v.Span
	s := &g.p.Spans[id]
	if s.Role == ir.RoleConst {
		var v [Lanes]float64
		for l := range v {
			if lanes.has(l) {
				v[l] = s.Data[at[l]]
			}
		}
		return g.constant(v)
	}
	if set := g.groups[id]; s.Len == 1 && set != nil && g.Nodes[set[0]].Op == Reciprocal {
		return set[0]
	}
	if elements && !dense(g.p, c, v) {
		at = repeat(at, lanes)
	} else if elements {
		at = fill(at, lanes, int32(s.Len))
	} else {
		at = fill(at, lanes, reach(g.p, id))
	}
	if set := g.groups[id]; set != nil && at[0]%Lanes == 0 && PatternOf(at) == Contiguous {
		return set[at[0]/Lanes]
	}
	return g.add(Node{Op: Load, Args: [Lanes]ID{None, None, None, None}, Span: id, At: at, Version: g.version[id]})
}

// dense reports whether a span has no padding: the view reaches all its places.
func dense(p *ir.Program, c *ir.Contract, v *ir.View) bool {
	n := 1
	for i, a := range c.Axes {
		if v.Stride[i] != 0 {
			n *= a.Size
		}
	}
	return n == p.Spans[v.Span].Len
}

// repeat returns at with the place of another lane in each lane that does not matter.
func repeat(at [Lanes]int32, lanes mask) [Lanes]int32 {
	last := -1
	for l := range at {
		if lanes.has(l) {
			last = l
		}
	}
	for l := range at {
		if !lanes.has(l) {
			at[l] = at[last]
		}
	}
	return at
}

// reach returns the number of elements from the beginning of a span that may be read.
func reach(p *ir.Program, id ir.SpanID) int32 {
	room := p.Room(id)
	if p.Spans[id].Role == ir.RoleIn {
		room += max(0, p.Align-1)
	}
	return int32(room)
}

// fill returns at with places for the lanes that do not matter, all within a span with the given
// room, such that the pattern is the cheapest one.
func fill(at [Lanes]int32, lanes mask, room int32) [Lanes]int32 {
	if lanes == all {
		return at
	}
	first := -1
	low, high := room, int32(0)
	for l := range at {
		if lanes.has(l) {
			if first < 0 {
				first = l
			}
			low, high = min(low, at[l]), max(high, at[l])
		}
	}
	begin := max(0, min(low, room-Lanes)) // of a window
	for _, try := range [][Lanes]int32{
		from(at[first]-int32(first), 1),
		from(at[first], 0),
		{low, low + 1, low, low + 1},
		{at[first] - int32(first%2), at[first] - int32(first%2) + 1, at[first] - int32(first%2), at[first] - int32(first%2) + 1},
	} {
		if matches(at, try, lanes) && slices.Min(try[:]) >= 0 && slices.Max(try[:]) < room {
			return try
		}
	}
	for l := range at {
		switch other := l ^ 1; {
		case lanes.has(l):
		case high-begin < Lanes:
			at[l] = begin
		case lanes.has(other):
			at[l] = at[other]
		default:
			at[l] = at[first]
		}
	}
	return at
}

// from returns four places, each step apart from the one before.
func from(a, step int32) [Lanes]int32 { return [Lanes]int32{a, a + step, a + 2*step, a + 3*step} }

func matches(a, b [Lanes]int32, lanes mask) bool {
	for l := range a {
		if lanes.has(l) && a[l] != b[l] {
			return false
		}
	}
	return true
}
