package nest

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// axis is a loop of a kernel.
type axis struct {
	size    int
	reduced bool
}

// operand is a view along the axes of a kernel; its window holds extent numbers from its base on.
type operand struct {
	view   ir.View
	stride []int
}

// shape is a contraction with its fixed axes left out, axes that lie alike in all operands merged, and the axes in the order
// of the loops: those of the result, the reduced ones.
type shape struct {
	axes []axis
	out  operand
	in   []operand
	max  bool
}

func shapeOf(c *ir.Contract) *shape {
	s := &shape{out: operand{view: c.Out}, max: c.Reduce == ir.ReduceMax}
	for _, v := range c.In {
		s.in = append(s.in, operand{view: v})
	}
	for _, kind := range []ir.AxisKind{ir.AxisOut, ir.AxisReduced} {
		for i, a := range c.Axes {
			if a.Kind == kind && a.Size > 1 {
				s.axes = append(s.axes, axis{a.Size, kind == ir.AxisReduced})
				for _, op := range s.operands() {
					op.stride = append(op.stride, op.view.Stride[i])
				}
			}
		}
	}
	for s.merge() {
	}
	return s
}

// operands are all operands, the result first.
func (s *shape) operands() []*operand {
	out := []*operand{&s.out}
	for i := range s.in {
		out = append(out, &s.in[i])
	}
	return out
}

// merge makes one axis of two that lie in every operand as one would, and reports whether it found such.
func (s *shape) merge() bool {
	for inner := range s.axes {
		for outer := range s.axes {
			if inner == outer || s.axes[inner].reduced != s.axes[outer].reduced || !s.alike(outer, inner) {
				continue
			}
			s.axes[inner].size *= s.axes[outer].size
			s.axes = slices.Delete(s.axes, outer, outer+1)
			for _, op := range s.operands() {
				op.stride = slices.Delete(op.stride, outer, outer+1)
			}
			return true
		}
	}
	return false
}

func (s *shape) alike(outer, inner int) bool {
	for _, op := range s.operands() {
		if op.stride[outer] != op.stride[inner]*s.axes[inner].size {
			return false
		}
	}
	return true
}

// last is the last axis that is, or is not, reduced; -1 where there is none.
func (s *shape) last(reduced bool) int {
	for i := len(s.axes) - 1; i >= 0; i-- {
		if s.axes[i].reduced == reduced {
			return i
		}
	}
	return -1
}

// products is how many products the kernel forms.
func (s *shape) products() int {
	n := 1
	for _, a := range s.axes {
		n *= a.size
	}
	return n
}

// extent is the number of elements from the first that an operand touches to its last.
func (s *shape) extent(op *operand) int {
	n := 1
	for i, a := range s.axes {
		n += (a.size - 1) * op.stride[i]
	}
	return n
}

// split cuts an axis of n steps into blocks of equal size, at most most, and a rest: n = count*block + rest.
func split(n, most int) (count, block, rest int) {
	if n <= most {
		return 1, n, 0
	}
	for b := most; b*2 >= most; b-- {
		if n%b == 0 {
			return n / b, b, 0
		}
	}
	b := max(1, min(most, 8))
	return n / b, b, n % b
}
