package vector

import "github.com/pgmc-go/pgmc/ir"

// Normalize multiplies each of the given spans by the reciprocal of its sum, with one division for
// four spans. Spans with a sum that is not from 2^-1000 to 2^1000 stay as they are. It returns the
// vectors of the sums. Lanes without a span have the sum of another one.
func (g *Graph) Normalize(spans []ir.SpanID) (sums []ID) {
	for ; len(spans) > 0; spans = spans[min(Lanes, len(spans)):] {
		n := Node{Op: Across}
		for i := range n.Args {
			n.Args[i] = g.Total(spans[min(i, len(spans)-1)])
		}
		sum := g.add(n)
		sums = append(sums, sum)
		inverse := g.add(Node{Op: Inverse, Args: [Lanes]ID{sum, None, None, None}})
		for i, id := range spans[:min(Lanes, len(spans))] {
			factor := g.add(Node{Op: Splat, Args: [Lanes]ID{inverse, None, None, None}, At: [Lanes]int32{int32(i)}})
			groups := make([]ID, len(g.groups[id]))
			for k, x := range g.groups[id] {
				groups[k] = g.binary(Mul, x, factor)
			}
			g.Set(id, groups)
		}
	}
	return sums
}

// Invert adds the reciprocal of a number, in all lanes.
func (g *Graph) Invert(s *ir.Invert) {
	in := Node{Op: Load, Args: [Lanes]ID{None, None, None, None}, Span: s.In, Version: g.version[s.In]}
	if set := g.groups[s.In]; set != nil {
		in = Node{Op: Splat, Args: [Lanes]ID{set[0], None, None, None}}
	}
	g.Set(s.Out, []ID{g.add(Node{Op: Reciprocal, Args: [Lanes]ID{g.add(in), None, None, None}})})
}

// Total returns a vector with lanes that add up to the sum of a span: the sum of the groups,
// without the lanes that hold no element.
func (g *Graph) Total(id ir.SpanID) ID {
	sum := g.constant([Lanes]float64{})
	for i, n := range g.groups[id] {
		if rest := g.p.Spans[id].Len - i*Lanes; rest < Lanes {
			keep := Node{Op: Keep, Args: [Lanes]ID{n, None, None, None}}
			for l := range rest {
				keep.At[l] = 1
			}
			n = g.add(keep)
		}
		sum = g.reduce(Add, sum, n)
	}
	return sum
}
