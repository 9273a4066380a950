package symbolic

import (
	"cmp"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// Axis is a loop of an expansion.
type Axis struct {
	Size    int
	Reduced bool
}

// Operand is one factor of the products: its stride along each axis, and its element at an offset.
// Factors of one level are multiplied in the order of Volume, or if that is 0 of the number of
// elements that the loops reach.
type Operand struct {
	Stride []int
	At     func(offset int) circuit.Node
	Volume int
}

// Expansion is a contraction to expand. The axes that are not reduced come first.
type Expansion struct {
	Circuit *circuit.Circuit
	Axes    []Axis
	In      []Operand
	Max     bool                             // reduce by maximum
	Out     []int                            // the stride of the result along each axis
	Set     func(offset int, n circuit.Node) // called for each element of the result
	Left    *int                             // products that may still be formed
	byLevel [][]int                          // operands by level: the number of axes up to the last on which they depend
	offset  []int
}

// Run expands x. The error is ErrLimit. It skips products with a constant zero, so that a sparse
// table costs only its other entries.
func (x *Expansion) Run() error {
	x.byLevel = make([][]int, len(x.Axes)+1)
	x.offset = make([]int, len(x.In))
	for i, op := range x.In {
		level := ir.View{Stride: op.Stride}.Level()
		x.byLevel[level] = append(x.byLevel[level], i)
	}
	for _, ops := range x.byLevel { // small operands first: more elements share their products
		slices.SortStableFunc(ops, func(a, b int) int { return cmp.Compare(x.volume(a), x.volume(b)) })
	}
	x.outer(0, 0, x.times(circuit.One, 0))
	if *x.Left < 0 {
		return ErrLimit
	}
	return nil
}

// volume returns the number of different elements of operand i that the loops reach.
func (x *Expansion) volume(i int) int {
	if n := x.In[i].Volume; n > 0 {
		return n
	}
	n := 1
	for a, st := range x.In[i].Stride {
		if st != 0 {
			n *= x.Axes[a].Size
		}
	}
	return n
}

// times multiplies n by the elements of the operands of a level at their current offsets.
func (x *Expansion) times(n circuit.Node, level int) circuit.Node {
	for _, i := range x.byLevel[level] {
		if n == circuit.Zero {
			return n
		}
		n = x.Circuit.Prod(n, x.In[i].At(x.offset[i]))
	}
	return n
}

// move moves the offsets of all operands by n steps along an axis.
func (x *Expansion) move(axis, n int) {
	for i := range x.In {
		x.offset[i] += n * x.In[i].Stride[axis]
	}
}

// outer loops over the axes of the result, from the given one on. pre is the product of the
// operands that do not depend on these axes.
func (x *Expansion) outer(axis, out int, pre circuit.Node) {
	if axis == len(x.Axes) || x.Axes[axis].Reduced {
		n := pre
		if n != circuit.Zero {
			n = x.Circuit.Prod(pre, x.inner(axis))
		}
		x.Set(out, n)
		return
	}
	for k := 0; k < x.Axes[axis].Size && *x.Left >= 0; k++ {
		x.outer(axis+1, out+k*x.Out[axis], x.times(pre, axis+1))
		x.move(axis, 1)
	}
	x.move(axis, -x.Axes[axis].Size) // too far if the limit was met, and then nothing matters
}

// inner returns the reduction over an axis and those after it.
func (x *Expansion) inner(axis int) circuit.Node {
	*x.Left--
	if axis == len(x.Axes) {
		return circuit.One
	}
	acc := circuit.Zero
	for k := 0; k < x.Axes[axis].Size && *x.Left >= 0; k++ {
		if n := x.times(circuit.One, axis+1); n != circuit.Zero {
			n = x.Circuit.Prod(n, x.inner(axis+1))
			if x.Max {
				acc = x.Circuit.Max(acc, n)
			} else {
				acc = x.Circuit.Sum(acc, n)
			}
		}
		x.move(axis, 1)
	}
	x.move(axis, -x.Axes[axis].Size) // too far if the limit was met, and then nothing matters
	return acc
}

// Order returns the looping axes of a contraction in an order for expansion: the result's as they
// are, then the reduced ones. The axis on which the fewest operands depend is innermost, so that
// the other operands are multiplied outside its sum.
func Order(axes []ir.Axis, in []ir.View) []int {
	var out, reduced []int
	for i, a := range axes {
		switch a.Kind {
		case ir.AxisOut:
			out = append(out, i)
		case ir.AxisReduced:
			reduced = append(reduced, i)
		}
	}
	users := func(i int) int {
		n := 0
		for _, v := range in {
			if v.Stride[i] != 0 {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(reduced, func(a, b int) int {
		return cmp.Or(cmp.Compare(users(b), users(a)), cmp.Compare(axes[a].Size, axes[b].Size))
	})
	return append(out, reduced...)
}

// Along returns the strides of the given axes.
func Along(stride, axes []int) []int {
	out := make([]int, len(axes))
	for i, a := range axes {
		out[i] = stride[a]
	}
	return out
}
