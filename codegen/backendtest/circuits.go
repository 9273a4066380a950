package backendtest

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// RandomCircuits returns n programs made from seed that include circuits over likelihoods and
// numbers, and walks down them.
func RandomCircuits(n int, seed uint64) []Case {
	return random("random circuit", n, seed, 3, func(g *generator) { g.circuits = true })
}

// circuit adds the nodes of a circuit over some tables, and a walk from its last node. No value is
// above 1, since no value of a table is and sums are means.
func (g *generator) circuit() {
	s := &ir.Sums{Max: g.r.IntN(2) == 0, First: []int32{0}}
	share := g.span(ir.Span{Role: ir.RoleConst, Len: 1, Data: []float64{.25}})
	s.In = []ir.SpanID{share} // element 0
	size := int32(1)
	for _, t := range g.tables {
		if role := g.p.Spans[t.span].Role; role == ir.RoleIn || role == ir.RoleConst || role == ir.RoleParam {
			s.In = append(s.In, t.span)
			size += int32(g.p.Spans[t.span].Len)
		}
	}
	nodes := 1 + g.r.IntN(40)
	if g.r.IntN(10) == 0 {
		nodes = 1200 // more than a back-end writes out
	}
	s.Out = []ir.SpanID{g.span(ir.Span{Role: []ir.Role{ir.RoleTemp, ir.RolePersistent}[g.r.IntN(2)], Len: nodes})}
	for i := range int32(nodes) {
		s.Set = append(s.Set, size+i)
		terms, pairs := 1+g.r.IntN(4), !s.Max || g.r.IntN(3) > 0
		for range terms {
			t := [2]int32{g.element(size + i), -1}
			switch {
			case pairs && (s.Max || terms == 1):
				t[1] = g.element(size + i)
			case pairs:
				t[1] = 0
			}
			s.Terms = append(s.Terms, t)
		}
		s.First = append(s.First, int32(len(s.Terms)))
	}
	g.steps = append(g.steps, s)
	w := &ir.Walk{In: slices.Concat(s.In, s.Out), Mode: ir.PickMode(g.r.IntN(2)), Node: s.Set, First: s.First, Terms: s.Terms}
	w = g.decomposable(w, size)
	w.Stack = g.span(ir.Span{Elem: ir.Int32, Role: ir.RoleTemp, Len: w.Depth(g.p)})
	g.steps = append(g.steps, w)
}

// element returns one of n elements, preferring late ones so that circuits are deep.
func (g *generator) element(n int32) int32 {
	if g.r.IntN(2) == 0 {
		return g.r.Int32N(n)
	}
	return max(0, n-1-g.r.Int32N(3))
}

// decomposable returns w without the nodes that would make the walk long because two of their
// operands lead to further nodes. The nodes above treat them as numbers.
func (g *generator) decomposable(w *ir.Walk, inputs int32) *ir.Walk {
	out := &ir.Walk{In: w.In, Mode: w.Mode, First: []int32{0}}
	weight := map[int32]int{} // the most elements that a walk visits below a node
	last := w.Node[len(w.Node)-1]
	for i, e := range w.Node {
		most := 0
		terms := w.Terms[w.First[i]:w.First[i+1]]
		for _, t := range terms {
			most = max(most, weight[t[0]]+weight[t[1]])
		}
		if most > 100 && e != last {
			continue
		}
		weight[e] = most + 1
		out.Node = append(out.Node, e)
		out.Terms = append(out.Terms, terms...)
		out.First = append(out.First, int32(len(out.Terms)))
	}
	return out
}
