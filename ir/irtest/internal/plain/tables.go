package plain

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// contract visits every joint state of the axes once. An element of the result starts with the
// first product that falls on it.
func (m *Memory) contract(c *ir.Contract) {
	begun := map[*float64]bool{}
	for _, at := range m.joint(c.Axes) {
		out, x := m.element(c.Out, at), m.product(c.In, at)
		switch {
		case !begun[out]:
			*out, begun[out] = x, true
		case c.Reduce == ir.ReduceSum:
			*out += x
		default:
			*out = math.Max(*out, x)
		}
	}
}

func (m *Memory) pick(s *ir.Pick) {
	var weights []float64
	for _, at := range m.joint(s.Axes) {
		weights = append(weights, m.product(s.In, at))
	}
	*m.state(s.Axes[0].Var) = int32(m.chosen(weights, s.Mode))
}

func (m *Memory) sums(s *ir.Sums) {
	places := s.Places(m.Program)
	element := func(e int32) *float64 { return &m.Numbers[s.SpanAt(places[e].Span)][places[e].At] }
	for i, e := range s.Set {
		x := 0.0
		for _, t := range s.Terms[s.First[i]:s.First[i+1]] {
			y := *element(t[0])
			if t[1] >= 0 {
				y *= *element(t[1])
			}
			if s.Max {
				x = math.Max(x, y)
			} else {
				x += y
			}
		}
		*element(e) = x
	}
}

func (m *Memory) walk(w *ir.Walk) { m.walkFrom(w, w.Places(m.Program), w.Node[len(w.Node)-1]) }

// walkFrom goes on with a walk at an element: an input sets a state, a node chooses a term.
func (m *Memory) walkFrom(w *ir.Walk, places []ir.Place, e int32) {
	id, at := w.In[places[e].Span], places[e].At
	if span := &m.Program.Spans[id]; span.Role == ir.RoleIn {
		*m.state(span.Var) = int32(at)
		return
	}
	i := slices.Index(w.Node, e)
	if i < 0 {
		return
	}
	number := func(e int32) float64 { return m.Numbers[w.In[places[e].Span]][places[e].At] }
	terms, choice := w.Terms[w.First[i]:w.First[i+1]], 0
	if len(terms) > 1 {
		var weights []float64
		for _, t := range terms {
			x := number(t[0])
			if t[1] >= 0 {
				x *= number(t[1])
			}
			weights = append(weights, x)
		}
		choice = m.chosen(weights, w.Mode)
	}
	for _, x := range terms[choice] {
		if x >= 0 {
			m.walkFrom(w, places, x)
		}
	}
}

func (m *Memory) invert(s *ir.Invert) {
	x := *m.number(s.In)
	if x == 0 {
		x = 1
	}
	*m.number(s.Out) = 1 / x
}

func (m *Memory) normalize(s *ir.Normalize) { normalize(m.Numbers[s.Span]) }

func normalize(x []float64) {
	if total := sum(x); total > 0 {
		for i := range x {
			x[i] /= total
		}
	}
}

func (m *Memory) rescale(s *ir.Rescale) {
	x := m.Numbers[s.Span]
	top := 0.0
	for _, v := range x {
		top = math.Max(top, v)
	}
	if top == 0 {
		return
	}
	k := math.Ilogb(top)
	for i := range x {
		x[i] = math.Ldexp(x[i], -k)
	}
	if s.Exp != ir.NoSpan {
		m.Ints[s.Exp][0] += int32(k)
	}
	scaled := math.Ldexp(top, -k)
	m.Brink = m.Brink || scaled-1 < 1e-12 || 2-scaled < 1e-12
}

func (m *Memory) zero(s *ir.Zero) {
	clear(m.Numbers[s.Span])
	clear(m.Ints[s.Span])
}

func (m *Memory) lookup(s *ir.Lookup) {
	row := 0
	for _, a := range s.Axes {
		row = row*a.Size + int(*m.state(a.Var))
	}
	n := len(m.Numbers[s.Out])
	copy(m.Numbers[s.Out], m.Numbers[s.Table][row*n:(row+1)*n])
}
