package vector

import (
	"cmp"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// Loops are the loops of a contraction, those over the result first. Each has a stride in every
// operand.
type Loops struct {
	Size    []int
	Reduced int // the first loop over a reduced axis
	Out     []int
	In      [][]int
}

// Tile returns about the number of vector instructions of tiles with lanes along loop d of the
// result, with the given number of elements in one tile.
//
// An operand is multiplied in the innermost reduced loop on which it depends. If it is contiguous
// along the lanes, it is often the operand of the product. One number is loaded once for the
// vectors of a tile. Vectors of other operands are loaded number by number.
func (l *Loops) Tile(d, inner int) float64 {
	groups := (inner + Lanes - 1) / Lanes
	products := float64(l.Size[d] / inner * groups) // vectors
	for i, n := range l.Size[:l.Reduced] {
		if i != d {
			products *= float64(n)
		}
	}
	load := func(stride int) float64 {
		switch stride {
		case 0:
			return .3 + .7/float64(groups)
		case 1:
			return .3
		}
		return loadCost[Scattered]
	}
	n := products
	if l.Out[d] != 1 {
		n *= loadCost[Scattered]
	}
	for level := l.Reduced - 1; level < len(l.Size); level++ {
		if level >= l.Reduced {
			products *= float64(l.Size[level])
		}
		for _, in := range l.In {
			if l.level(in) == level {
				n += products * (1 + load(in[d]))
			}
		}
	}
	return n
}

// level returns the innermost reduced loop on which an operand depends, or Reduced-1.
func (l *Loops) level(stride []int) int {
	for i := len(l.Size) - 1; i >= l.Reduced; i-- {
		if stride[i] != 0 {
			return i
		}
	}
	return l.Reduced - 1
}

// scalarCost is the price of a product in scalar loops, in vector instructions.
const scalarCost = 2.3

// TileCost returns about the number of vector instructions of a contraction in loops around tiles.
func TileCost(c *ir.Contract) float64 {
	l := loopsOf(c)
	cost := scalarCost * float64(c.Entries())
	for d, n := range l.Size[:l.Reduced] {
		cost = min(cost, l.Tile(d, n))
	}
	return cost
}

// loopsOf returns the loops of c, in the order of the memory of its largest operand. Neighbours
// with the strides of one axis are one loop.
func loopsOf(c *ir.Contract) *Loops {
	largest, most := c.Out.Stride, 0
	for _, v := range c.In {
		n := 1
		for i, a := range c.Axes {
			if v.Stride[i] != 0 {
				n *= a.Size
			}
		}
		if n > most {
			largest, most = v.Stride, n
		}
	}
	var order []int
	for i, a := range c.Axes {
		if a.Kind != ir.AxisFixed && a.Size > 1 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(c.Axes[i].Kind, c.Axes[j].Kind), cmp.Compare(largest[j], largest[i]))
	})
	l := &Loops{In: make([][]int, len(c.In))}
	for n, i := range order {
		out := c.Axes[i].Kind == ir.AxisOut
		if k := len(l.Size) - 1; n > 0 && c.Axes[order[n-1]].Kind == c.Axes[i].Kind && l.follows(c, i) {
			l.Size[k] *= c.Axes[i].Size
			l.Out[k] = c.Out.Stride[i]
			for m := range l.In {
				l.In[m][k] = c.In[m].Stride[i]
			}
			continue
		}
		if out {
			l.Reduced++
		}
		l.Size, l.Out = append(l.Size, c.Axes[i].Size), append(l.Out, c.Out.Stride[i])
		for m := range l.In {
			l.In[m] = append(l.In[m], c.In[m].Stride[i])
		}
	}
	return l
}

// follows reports whether axis i of c and the last loop are one axis in every operand.
func (l *Loops) follows(c *ir.Contract, i int) bool {
	k, n := len(l.Size)-1, c.Axes[i].Size
	for m := range l.In {
		if l.In[m][k] != n*c.In[m].Stride[i] {
			return false
		}
	}
	return l.Out[k] == n*c.Out.Stride[i]
}
