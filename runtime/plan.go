package pgmrt

import "slices"

// Nest is a contraction as the compiler sees it: each element of Out becomes the sum, or with Max the maximum, of the
// product of In over the looping axes along which Out has stride 0. An empty product is 1.
type Nest struct {
	Max  bool
	Axes []NestAxis
	Out  NestView
	In   []NestView
}

// NestAxis is an axis of a nest: it loops where State is [Looping], and otherwise stands at the state found
// at that place of the state memory. Where only some states of a looping axis are wanted, since the others add nothing,
// Range is 1 plus the place of the first of them, with the end of them one further; 0 is for all states. Elements of the
// result beyond the states wanted are what they would be otherwise, or 0.
type NestAxis struct {
	Size  int
	State int
	Range int
}

// Looping is the NestAxis.State of an axis that is not fixed.
const Looping = -1

// NestView is how a table lies along the axes of a nest: Stride[i] elements for one step of axis i, from Offset on, in
// data memory or in work memory.
type NestView struct {
	Data   bool
	Offset int
	Stride []int
}

// nestLoop is one or more looping axes, outermost first, with the strides of out, which come first, and of the operands.
type nestLoop struct {
	size   int
	stride []int
	axes   []NestAxis
}

// loops gives the looping axes of n, outermost first: those of size 1 are dropped, and two that every view steps through as if
// they were one are merged. The order of loops means nothing, so that they needn't be neighbours.
func (n *Nest) loops() []nestLoop {
	var loops []nestLoop
	for i, a := range n.Axes {
		if a.State == Looping && a.Size != 1 {
			loops = append(loops, nestLoop{a.Size, n.strides(i), []NestAxis{a}})
		}
	}
	for mergeNestLoops(&loops) {
	}
	return loops
}

// strides are those of out and the operands along axis i.
func (n *Nest) strides(i int) []int {
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

// continues reports whether one step of l goes, in every view, where a step beyond the end of inner would.
func (l nestLoop) continues(inner nestLoop) bool {
	for v, stride := range inner.stride {
		if l.stride[v] != stride*inner.size {
			return false
		}
	}
	return true
}

// narrowed undoes the merging of axes that may be narrowed: a loop each, and one for what lies between them.
func narrowed(loops []nestLoop) []nestLoop {
	var out []nestLoop
	for _, l := range loops {
		first := len(out)
		step := 1 // of the inner axes together
		for i, a := range slices.Backward(l.axes) {
			if last := len(out) - 1; i < len(l.axes)-1 && a.Range == 0 && out[last].place() == 0 {
				out[last].size *= a.Size
			} else {
				out = append(out, nestLoop{a.Size, scaled(l.stride, step), []NestAxis{a}})
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

// place is the Range of the outermost axis of l, which has no other where that is not 0.
func (l nestLoop) place() int { return l.axes[0].Range }

// denseNest reports whether the elements of out along loops fill n places without a gap, from its offset on.
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
