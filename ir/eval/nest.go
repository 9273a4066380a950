package eval

import (
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// nest describes a contraction to the runtime, by places in the machine's memories.
func (m *Machine) nest(c *ir.Contract) pgmrt.Nest {
	return pgmrt.Nest{
		Max:  c.Reduce == ir.ReduceMax,
		Axes: m.narrowedAxes(c),
		Out:  m.view(c.Out),
		In:   m.views(c.In),
	}
}

// narrows says which of the axes of c that may be narrowed are.
func (m *Machine) narrows(_ int, c *ir.Contract, may []bool) (exact []bool) {
	nest := m.nest(c)
	for i := range may {
		if may[i] {
			nest.Axes[i].Range = 1 + 2*i // any place of its own
		}
	}
	return nest.Narrows()
}

// narrowedAxes are the axes of c, with the places of the ranges that narrow them.
func (m *Machine) narrowedAxes(c *ir.Contract) []pgmrt.NestAxis {
	axes := m.axes(c.Axes)
	for i, narrowed := range m.ranges.Narrowed(c) {
		if narrowed {
			axes[i].Range = 1 + m.layout.ints + m.ranges.Place(c.Axes[i].Var)
		}
	}
	return axes
}

func (m *Machine) axes(axes []ir.Axis) []pgmrt.NestAxis {
	out := make([]pgmrt.NestAxis, len(axes))
	for i, a := range axes {
		out[i] = pgmrt.NestAxis{Size: a.Size, State: pgmrt.Looping}
		if a.Kind == ir.AxisFixed {
			out[i].State = m.layout.offset[m.program.State] + int(a.Var)
		}
	}
	return out
}

func (m *Machine) views(views []ir.View) []pgmrt.NestView {
	out := make([]pgmrt.NestView, len(views))
	for i, v := range views {
		out[i] = m.view(v)
	}
	return out
}

func (m *Machine) view(v ir.View) pgmrt.NestView {
	return pgmrt.NestView{Data: m.program.Spans[v.Span].ReadOnly(), Offset: m.layout.offset[v.Span], Stride: v.Stride}
}
