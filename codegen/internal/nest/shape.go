package nest

import (
	"cmp"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// axis is a loop of a kernel.
type axis struct {
	size     int
	reduced  bool
	sections []section // the axis is their product, slowest first; nil if its steps are not whole states of one variable
	tile     bool      // in a tile of vectors
}

// operand is a view along the axes of a kernel. It begins at element start, to which fixed axes may
// add.
type operand struct {
	view   ir.View
	stride []int
	start  int
}

// shape is a contraction without its fixed axes. Axes with compatible strides in all operands are
// merged. The axes are in the order of the loops: the result's before the reduced ones, each by
// stride in the largest operand, so that the innermost loops read it in order.
type shape struct {
	axes []axis
	out  operand
	in   []operand
	max  bool

	vectors bool    // arranged for tiles of vectors
	ns      float64 // predicted time, with all data in the second-level cache
}

// shapeOf returns the shape of c. narrowed reports by axis whether it may be narrowed; it may be
// nil.
func shapeOf(c *ir.Contract, narrowed []bool) *shape {
	s := &shape{out: operand{view: c.Out}, max: c.Reduce == ir.ReduceMax}
	for _, v := range c.In {
		s.in = append(s.in, operand{view: v})
	}
	for _, i := range loopOrder(c) {
		p := section{axis: -1, size: c.Axes[i].Size, states: 1}
		if narrowed != nil && narrowed[i] {
			p.axis = i
		}
		s.axes = append(s.axes, axis{size: p.size, reduced: c.Axes[i].Kind == ir.AxisReduced, sections: []section{p}})
		for _, op := range s.operands() {
			op.stride = append(op.stride, op.view.Stride[i])
		}
	}
	for s.merge() {
	}
	s.vectorize()
	return s
}

// loopOrder returns the axes of c that are loops. An axis on which the largest operand does not
// depend is outermost.
func loopOrder(c *ir.Contract) []int {
	largest := c.Out.Stride
	best := 0
	for _, v := range c.In {
		n := 1
		for i, a := range c.Axes {
			if a.Kind != ir.AxisFixed && v.Stride[i] != 0 {
				n *= a.Size
			}
		}
		if n > best {
			largest, best = v.Stride, n
		}
	}
	var order []int
	for i, a := range c.Axes {
		if a.Kind != ir.AxisFixed && a.Size > 1 {
			order = append(order, i)
		}
	}
	depth := func(i int) int {
		if largest[i] == 0 {
			return math.MinInt
		}
		return -largest[i]
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(c.Axes[i].Kind, c.Axes[j].Kind), cmp.Compare(depth(i), depth(j)))
	})
	return order
}

// operands returns all operands, the result first.
func (s *shape) operands() []*operand {
	out := []*operand{&s.out}
	for i := range s.in {
		out = append(out, &s.in[i])
	}
	return out
}

// clone returns a copy of s.
func (s *shape) clone() *shape {
	out := *s
	out.axes, out.in = slices.Clone(s.axes), slices.Clone(s.in)
	for _, op := range out.operands() {
		op.stride = slices.Clone(op.stride)
	}
	return &out
}

// merge merges two neighbouring axes if their strides in every operand are one axis'. It reports
// whether it found such a pair.
func (s *shape) merge() bool {
	for outer := range len(s.axes) - 1 {
		inner := outer + 1
		if s.axes[inner].reduced != s.axes[outer].reduced || !s.alike(outer, inner) {
			continue
		}
		s.axes[inner].size *= s.axes[outer].size
		s.axes[inner].sections = slices.Concat(s.axes[outer].sections, s.axes[inner].sections)
		s.axes = slices.Delete(s.axes, outer, outer+1)
		for _, op := range s.operands() {
			op.stride = slices.Delete(op.stride, outer, outer+1)
		}
		return true
	}
	return false
}

// alike reports whether the strides of two neighbouring axes in every operand are one axis'.
func (s *shape) alike(outer, inner int) bool {
	for _, op := range s.operands() {
		if op.stride[outer] != op.stride[inner]*s.axes[inner].size {
			return false
		}
	}
	return true
}

// products returns the number of products that the kernel computes.
func (s *shape) products() int {
	n := 1
	for _, a := range s.axes {
		n *= a.size
	}
	return n
}

// extent returns the number of elements from the first to the last that an operand reaches.
func (s *shape) extent(op *operand) int {
	n := 1
	for i, a := range s.axes {
		n += (a.size - 1) * op.stride[i]
	}
	return n
}

// split splits axis i into two, the inner one of n steps. n divides its size.
func (s *shape) split(i, n int) {
	outer, inner := divide(s.axes[i].sections, n)
	s.axes = slices.Insert(s.axes, i, axis{size: s.axes[i].size / n, reduced: s.axes[i].reduced, sections: outer})
	s.axes[i+1].size, s.axes[i+1].sections = n, inner
	for _, op := range s.operands() {
		op.stride = slices.Insert(op.stride, i, op.stride[i]*n)
	}
}

// cut splits s into two shapes: axis i up to n, and from n on.
func (s *shape) cut(i, n int) (low, high *shape) {
	part := func(from, size int) *shape {
		p := &shape{axes: slices.Clone(s.axes), out: s.out, in: slices.Clone(s.in), max: s.max, vectors: s.vectors}
		p.axes[i].size, p.axes[i].sections = size, cutSections(s.axes[i].sections, from, size)
		for _, op := range p.operands() {
			op.stride = slices.Clone(op.stride)
			op.start += from * op.stride[i]
		}
		return p
	}
	return part(0, n), part(n, s.axes[i].size-n)
}
