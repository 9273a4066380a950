package backendtest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// RandomCircuits gives n programs made by seed in which circuits over likelihoods and numbers are computed and walked down, among
// other steps.
func RandomCircuits(n int, seed uint64) []Case {
	cases := make([]Case, n)
	for i := range cases {
		g := &generator{r: rand.New(rand.NewPCG(seed, uint64(i))), circuits: true}
		cases[i] = Case{Name: fmt.Sprintf("random circuit %d.%d", seed, i), Program: g.program()}
		for range 3 {
			cases[i].Inputs = append(cases[i].Inputs, g.input())
		}
		if err := g.p.Verify(); err != nil {
			panic(fmt.Sprintf("backendtest: %s: %v", cases[i].Name, err))
		}
	}
	return cases
}

// circuit adds the nodes of a circuit over some tables, and a walk from the last of them. No value is above 1: those of tables are
// not, and sums are means.
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
		nodes = 1200 // more than is written out
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

// element is one of n elements, a late one more often than not, so that circuits get deep.
func (g *generator) element(n int32) int32 {
	if g.r.IntN(2) == 0 {
		return g.r.Int32N(n)
	}
	return max(0, n-1-g.r.Int32N(3))
}

// decomposable leaves out of w the nodes that would make the way down long: those of which two operands lead on. What leads to them
// takes them for numbers.
func (g *generator) decomposable(w *ir.Walk, inputs int32) *ir.Walk {
	out := &ir.Walk{In: w.In, Mode: w.Mode, First: []int32{0}}
	weight := map[int32]int{} // how many elements a walk comes by below a node, at the most
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

// sums computes the nodes of a circuit.
func (m *memory) sums(s *ir.Sums) {
	places := s.Places(m.p)
	number := func(e int32) *float64 { return &m.numbers[s.SpanAt(places[e].Span)][places[e].At] }
	for i, e := range s.Set {
		x := 0.0
		for _, t := range s.Terms[s.First[i]:s.First[i+1]] {
			y := *number(t[0])
			if t[1] >= 0 {
				y *= *number(t[1])
			}
			if s.Max {
				x = max(x, y)
			} else {
				x += y
			}
		}
		*number(e) = x
	}
}

// walk goes on with a walk at an element.
func (m *memory) walk(w *ir.Walk, places []ir.Place, e int32) {
	id, at := w.In[places[e].Span], places[e].At
	if span := &m.p.Spans[id]; span.Role == ir.RoleIn {
		m.ints[m.p.State][span.Var] = int32(at)
		return
	}
	for i := range w.Node {
		if w.Node[i] != e {
			continue
		}
		terms := w.Terms[w.First[i]:w.First[i+1]]
		weights := make([]float64, len(terms))
		for k, t := range terms {
			weights[k] = m.number(w, places, t[0])
			if t[1] >= 0 {
				weights[k] *= m.number(w, places, t[1])
			}
		}
		choice := 0
		switch {
		case len(terms) == 1:
		case w.Mode == ir.PickDraw:
			choice = pgmrt.Draw(weights, m.rng)
		default:
			choice = pgmrt.Argmax(weights)
		}
		for _, x := range terms[choice] {
			if x >= 0 {
				m.walk(w, places, x)
			}
		}
		return
	}
}

func (m *memory) number(w *ir.Walk, places []ir.Place, e int32) float64 {
	return m.numbers[w.In[places[e].Span]][places[e].At]
}
