package nest

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/price"
	"github.com/pgmc-go/pgmc/ir/vector"
)

// Sizes of tiles of vectors. The accumulators of a tile leave six of the sixteen registers for
// operands.
const (
	lanes       = vector.Lanes
	maxVectors  = 10 // accumulators
	maxReduced  = 16 // products in the sum of one element
	maxProducts = 40 // vectors of products
	leastLanes  = 8  // elements along the lanes, if loops around them may be narrowed
	maxOperands = 7
	maxCall     = 1 << 20 // products: about 0.1 ms, for which the goroutine is not preempted
)

// leastVectors is the least number of products of a contraction for which vectors pay. Tests lower
// it.
var leastVectors = 96

// vectorize arranges s for tiles of vectors if these are faster than scalars. The lanes are
// neighbours along an axis of the result, the last one then. The tile takes that axis and some of
// the reduced axes; loops over the others may be narrowed. The sums have the same order in assembly
// and in Go.
func (s *shape) vectorize() {
	n := s.products()
	best, least := -1, price.Nest.Sum*float64(n)
	if s.max {
		least = price.Nest.Max * float64(n)
	}
	s.ns = least
	if n < leastVectors || n > maxCall || len(s.in) == 0 || len(s.in) > maxOperands {
		return
	}
	l := s.loops()
	for d := range l.Reduced {
		if ns := price.Nest.Vector * l.Tile(d, s.innermost(d)); ns < least {
			best, least = d, ns
		}
	}
	if best >= 0 {
		s.vectors, s.ns = true, least
		s.arrangeLanes(best)
	}
}

// loops returns the loops of s.
func (s *shape) loops() *vector.Loops {
	l := &vector.Loops{Out: s.out.stride}
	for _, a := range s.axes {
		l.Size = append(l.Size, a.size)
		if !a.reduced {
			l.Reduced++
		}
	}
	for _, op := range s.in {
		l.In = append(l.In, op.stride)
	}
	return l
}

// innermost returns the number of elements along axis d that are in tiles: all, or if outer
// variables may be narrowed the least number of whole variables with enough elements.
func (s *shape) innermost(d int) int {
	n, some := 1, false
	for i, p := range slices.Backward(s.axes[d].sections) {
		n *= p.size
		some = some || i > 0 && n >= leastLanes && slices.ContainsFunc(s.axes[d].sections[:i], narrows)
		if some {
			return n
		}
	}
	return s.axes[d].size
}

// arrangeLanes moves axis d behind the other axes of the result and marks the axes of the tile.
func (s *shape) arrangeLanes(d int) {
	last := s.last(false)
	s.move(d, last)
	if n := s.innermost(last); n < s.axes[last].size {
		s.split(last, n)
		last++
	}
	s.take(last)
	vectors := s.groups(last)
	all := vectors
	for i := len(s.axes) - 1; i > last; i-- {
		n := divisor(s.axes[i].size, min(maxReduced*vectors, maxProducts)/all)
		if n < s.axes[i].size {
			if n > 1 {
				s.split(i, n)
				s.take(i + 1)
				all *= n
			}
			break
		}
		s.take(i)
		all *= n
	}
	for i := last - 1; i >= 0; i-- {
		n := s.axes[i].size
		if vectors*n > maxVectors || all*n > maxProducts {
			break
		}
		s.take(i)
		vectors *= n
		all *= n
	}
}

// take marks an axis as one of the tile, which is never narrowed.
func (s *shape) take(i int) {
	a := &s.axes[i]
	a.tile = true
	a.sections = slices.Clone(a.sections)
	for k := range a.sections {
		a.sections[k].axis = -1
	}
}

// move moves an axis to another place.
func (s *shape) move(from, to int) {
	a := s.axes[from]
	s.axes = slices.Insert(slices.Delete(s.axes, from, from+1), to, a)
	for _, op := range s.operands() {
		st := op.stride[from]
		op.stride = slices.Insert(slices.Delete(op.stride, from, from+1), to, st)
	}
}

// groups returns the number of vectors along axis d in a tile.
func (s *shape) groups(d int) int {
	n := (s.axes[d].size + lanes - 1) / lanes
	if n <= maxVectors {
		return n
	}
	best := maxVectors
	for k := maxVectors; k > maxVectors/2; k-- {
		if n%k < n%best {
			best = k
		}
	}
	return best
}

// scalarTiles cuts s into shapes with the tiles of the Go code: the elements along the last axis
// that have registers, and the reduced axes of the tile of vectors.
func (s *shape) scalarTiles() []tiled {
	d, x := s.last(false), 1
	for _, a := range s.axes {
		if a.reduced && a.tile {
			x *= a.size
		}
	}
	most, n := max(1, min(maxSums, maxTile/x)), s.axes[d].size
	if s.max {
		most = min(most, maxMaxima)
	}
	if n > most {
		n = most
		for k := most; k > most/2; k-- {
			if s.axes[d].size%k < s.axes[d].size%n {
				n = k
			}
		}
		if rest := s.axes[d].size % n; rest > 0 {
			low, high := s.cut(d, s.axes[d].size-rest)
			return append(low.scalarTiles(), high.scalarTiles()...)
		}
		s.split(d, n)
		d++
	}
	t := tiled{s, make([]bool, len(s.axes))}
	t.unrolled[d] = true
	for i, a := range s.axes {
		if a.reduced && a.tile {
			t.unrolled[i] = true
		}
	}
	for i := d - 1; i >= 0 && s.axes[i].tile && n*s.axes[i].size <= most; i-- {
		t.unrolled[i] = true
		n *= s.axes[i].size
	}
	return []tiled{t}
}

// vectorTile is a shape in which the last axis of the result counts vectors.
type vectorTile struct {
	tiled
	lane []int // by operand, the result first: the stride between lanes
	last int   // lanes of the last vector that hold elements, if it is not full; otherwise 0
}

// vectorTiles cuts s into shapes with tiles of vectors.
func (s *shape) vectorTiles() []vectorTile {
	d := s.last(false)
	n := lanes * s.groups(d)
	if rest := s.axes[d].size % n; rest > 0 && s.axes[d].size > n {
		low, high := s.cut(d, s.axes[d].size-rest)
		return append(low.vectorTiles(), high.vectorTiles()...)
	}
	s = s.clone()
	if n < s.axes[d].size {
		s.split(d, n)
		s.axes[d].tile = false
		d++
	}
	t := vectorTile{tiled: tiled{s, make([]bool, len(s.axes))}, last: s.axes[d].size % lanes}
	s.axes[d].size = (s.axes[d].size + lanes - 1) / lanes
	for _, op := range s.operands() {
		t.lane = append(t.lane, op.stride[d])
		op.stride[d] *= lanes
	}
	for i, a := range s.axes {
		t.unrolled[i] = a.tile
	}
	t.narrow()
	return []vectorTile{t}
}

// volume returns the number of elements of a view, apart from fixed axes.
func volume(c *ir.Contract, v *ir.View) int {
	n := 1
	for i, a := range c.Axes {
		if a.Kind != ir.AxisFixed && v.Stride[i] != 0 {
			n *= a.Size
		}
	}
	return n
}
