package assemble

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// nest is a contraction by places in memory: each element of Out becomes the sum, or the maximum,
// of the product of In over the looping axes along which Out has stride 0. An empty product is 1.
type nest struct {
	Max  bool
	Axes []nestAxis
	Out  nestView
	In   []nestView
}

// nestAxis is an axis of a nest. It loops if State is looping, and is otherwise fixed at the state
// that state memory holds at that place. A looping axis with Range above 0 visits only a range of
// states, because the others add nothing: Range is 1 plus the place in state memory of the first
// state, and the end of the range is one further. Elements of the result outside the range are as
// without Range, or 0.
type nestAxis struct {
	Size  int
	State int
	Range int
}

// looping is the State of an axis that is not fixed.
const looping = -1

// nestView is the layout of a table along the axes of a nest: Stride[i] elements for one step of
// axis i, from Offset on, in data memory or in work memory.
type nestView struct {
	Data   bool
	Offset int
	Stride []int
}

// nest returns a contraction by places in memory.
func (a *Assembler) nest(c *ir.Contract) *nest {
	n := &nest{Max: c.Reduce == ir.ReduceMax, Axes: a.axes(c), Out: a.view(c.Out)}
	for _, v := range c.In {
		n.In = append(n.In, a.view(v))
	}
	return n
}

// axes returns the axes of c, with the places of the ranges that narrow them.
func (a *Assembler) axes(c *ir.Contract) []nestAxis {
	axes := make([]nestAxis, len(c.Axes))
	for i, x := range c.Axes {
		axes[i] = nestAxis{Size: x.Size, State: looping}
		if x.Kind == ir.AxisFixed {
			axes[i].State = a.state(x.Var)
		}
	}
	for i, narrowed := range a.ranges.Narrowed(c) {
		a.code.State = true
		if narrowed {
			axes[i].Range = 1 + a.ints + a.ranges.Place(c.Axes[i].Var)
		}
	}
	return axes
}

func (a *Assembler) view(v ir.View) nestView {
	return nestView{Data: a.data(v.Span) != 0, Offset: a.at(v.Span), Stride: v.Stride}
}

// nestLoop is one or more looping axes, outermost first. The stride of Out comes first, then the
// operands' strides.
type nestLoop struct {
	size   int
	stride []int
	axes   []nestAxis
}

// loops returns the looping axes of n, outermost first. It drops axes of size 1. It merges two axes
// if every view steps through them as through one. They need not be neighbours, because the order
// of loops has no meaning.
func (n *nest) loops() []nestLoop {
	var loops []nestLoop
	for i, a := range n.Axes {
		if a.State == looping && a.Size != 1 {
			loops = append(loops, nestLoop{a.Size, n.strides(i), []nestAxis{a}})
		}
	}
	for mergeNestLoops(&loops) {
	}
	return loops
}

// strides returns the strides of Out and of the operands along axis i.
func (n *nest) strides(i int) []int {
	stride := []int{n.Out.Stride[i]}
	for _, v := range n.In {
		stride = append(stride, v.Stride[i])
	}
	return stride
}

// mergeNestLoops merges the first pair of loops that can be, and reports whether there was one.
func mergeNestLoops(loops *[]nestLoop) bool {
	for i, outer := range *loops {
		for j, inner := range *loops {
			if i != j && outer.continues(inner) {
				(*loops)[j].size *= outer.size
				(*loops)[j].axes = slices.Concat(outer.axes, inner.axes)
				*loops = slices.Delete(*loops, i, i+1)
				return true
			}
		}
	}
	return false
}

// continues reports whether one step of l leads, in every view, to where a step beyond the end of
// inner would.
func (l nestLoop) continues(inner nestLoop) bool {
	for v, stride := range inner.stride {
		if l.stride[v] != stride*inner.size {
			return false
		}
	}
	return true
}

// narrowed undoes the merging of axes that have a Range. Each becomes a loop of its own, and the
// axes between two of them one loop.
func narrowed(loops []nestLoop) []nestLoop {
	var out []nestLoop
	for _, l := range loops {
		first := len(out)
		step := 1 // of the inner axes together
		for i, a := range slices.Backward(l.axes) {
			if last := len(out) - 1; i < len(l.axes)-1 && a.Range == 0 && out[last].place() == 0 {
				out[last].size *= a.Size
			} else {
				out = append(out, nestLoop{a.Size, scaled(l.stride, step), []nestAxis{a}})
			}
			step *= a.Size
		}
		slices.Reverse(out[first:])
	}
	return out
}

func scaled(stride []int, n int) []int {
	out := make([]int, len(stride))
	for i, s := range stride {
		out[i] = n * s
	}
	return out
}

// place returns the Range of the outermost axis of l. If it is not 0, l has no other axis.
func (l nestLoop) place() int { return l.axes[0].Range }

// denseNest reports whether the elements of Out along loops fill n places without a gap, from its
// offset on.
func denseNest(loops []nestLoop) (n int, ok bool) {
	var along []nestLoop
	for _, l := range loops {
		if l.stride[0] != 0 {
			along = append(along, l)
		}
	}
	slices.SortFunc(along, func(a, b nestLoop) int { return a.stride[0] - b.stride[0] })
	n = 1
	for _, l := range along {
		if l.stride[0] != n {
			return 0, false
		}
		n *= l.size
	}
	return n, true
}
