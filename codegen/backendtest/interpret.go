package backendtest

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// memory is the memory of the interpreter: every span by itself.
type memory struct {
	p       *ir.Program
	numbers [][]float64
	ints    [][]int32
	rng     *pgmrt.Rand
	brink   bool // a number to rescale was so near to a power of two that rounding decides the exponent
}

// interpret runs the first entry of p, one product at a time.
func interpret(p *ir.Program, in Input) *memory {
	m := &memory{p: p, numbers: make([][]float64, len(p.Spans)), ints: make([][]int32, len(p.Spans)), rng: pgmrt.NewRand(in.Seed)}
	for i := range p.Spans {
		m.numbers[i] = make([]float64, p.Spans[i].Len)
		m.ints[i] = make([]int32, p.Spans[i].Len)
		copy(m.numbers[i], p.Spans[i].Data)
		copy(m.numbers[i], in.Values[ir.SpanID(i)])
	}
	if p.State != ir.NoSpan {
		copy(m.ints[p.State], in.States)
	}
	for _, b := range p.Entries[0].Blocks {
		for _, s := range p.Blocks[b].Steps {
			m.step(s)
		}
	}
	return m
}

func (m *memory) step(s ir.Step) {
	switch s := s.(type) {
	case *ir.Contract:
		m.contract(s)
	case *ir.Pick:
		w := make([]float64, s.Axes[0].Size)
		for i := range w {
			at := m.fixed(s.Axes)
			at[0] = i
			w[i] = m.product(s.In, at)
		}
		if s.Mode == ir.PickDraw {
			m.ints[m.p.State][s.Axes[0].Var] = int32(pgmrt.Draw(w, m.rng))
		} else {
			m.ints[m.p.State][s.Axes[0].Var] = int32(pgmrt.Argmax(w))
		}
	case *ir.Sums:
		m.sums(s)
	case *ir.Walk:
		places := s.Places(m.p)
		m.walk(s, places, s.Node[len(s.Node)-1])
	case *ir.Normalize:
		pgmrt.Normalize(m.numbers[s.Span])
	case *ir.Rescale:
		k := pgmrt.Rescale(m.numbers[s.Span])
		top := slices.Max(m.numbers[s.Span])
		m.brink = m.brink || equal(top, 1) || equal(top, 2)
		if s.Exp != ir.NoSpan {
			m.ints[s.Exp][0] += int32(k)
		}
	case *ir.Zero:
		clear(m.numbers[s.Span])
		clear(m.ints[s.Span])
	case *ir.Lookup:
		row := 0
		for i, k := range m.fixed(s.Axes) {
			row = row*s.Axes[i].Size + k
		}
		n := len(m.numbers[s.Out])
		copy(m.numbers[s.Out], m.numbers[s.Table][row*n:(row+1)*n])
	default:
		m.loopStep(s)
	}
}

// contract visits every joint state of the axes once; an element of the result starts with the first product.
func (m *memory) contract(c *ir.Contract) {
	out := m.numbers[c.Out.Span]
	begun := make([]bool, len(out))
	at := m.fixed(c.Axes)
	for more := true; more; more = next(c.Axes, at) {
		i, x := offset(c.Out, at), m.product(c.In, at)
		switch {
		case !begun[i]:
			out[i], begun[i] = x, true
		case c.Reduce == ir.ReduceSum:
			out[i] += x
		default:
			out[i] = max(out[i], x)
		}
	}
}

// fixed gives the first joint state of the axes: fixed ones at their states, others at 0.
func (m *memory) fixed(axes []ir.Axis) []int {
	at := make([]int, len(axes))
	for i, a := range axes {
		if a.Kind == ir.AxisFixed {
			at[i] = int(m.ints[m.p.State][a.Var])
		}
	}
	return at
}

// next steps at to the next joint state of the looping axes.
func next(axes []ir.Axis, at []int) bool {
	for i := len(axes) - 1; i >= 0; i-- {
		if axes[i].Kind == ir.AxisFixed {
			continue
		}
		if at[i]++; at[i] < axes[i].Size {
			return true
		}
		at[i] = 0
	}
	return false
}

func offset(v ir.View, at []int) int {
	n := 0
	for i, k := range at {
		n += k * v.Stride[i]
	}
	return n
}

func (m *memory) product(in []ir.View, at []int) float64 {
	x := 1.0
	for _, v := range in {
		x *= m.numbers[v.Span][offset(v, at)]
	}
	return x
}
