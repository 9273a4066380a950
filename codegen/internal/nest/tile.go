package nest

import "slices"

// Sizes of the tile. The accumulators fit the registers with room for operands: 15 for numbers, and
// about 10 integer registers for maxima, which are taken of bit patterns. The number of products in
// a tile was chosen by measurement.
const (
	maxSums     = 12
	maxMaxima   = 8
	maxChain    = 16 // operands of one maximum, each of which waits for the one before it
	maxTile     = 64
	maxStraight = 64 // most products of a contraction that is written without loops
)

// tiles cuts s into shapes that their tiles divide evenly, and marks the unrolled axes of each.
func (s *shape) tiles() []tiled {
	if s.vectors {
		return s.scalarTiles()
	}
	if s.products() <= maxStraight {
		return []tiled{{s, s.all()}}
	}
	t := tiled{s, make([]bool, len(s.axes))}
	most := maxSums
	if s.max {
		most = maxMaxima
	}
	d, x := s.last(false), s.last(true)
	if d >= 0 {
		n := s.width(d, most)
		if rest := s.axes[d].size % n; rest > 0 {
			low, high := s.cut(d, s.axes[d].size-rest)
			return append(low.tiles(), high.tiles()...)
		}
		if n < s.axes[d].size {
			s.split(d, n)
			t.unrolled = make([]bool, len(s.axes))
			d++
			if x >= 0 {
				x++
			}
		}
	}
	sums, all := 1, 1
	if d >= 0 {
		sums = s.axes[d].size
		all = sums
		t.unrolled[d] = true
	}
	room := maxTile
	if s.max {
		room = min(room, all*maxChain)
	}
	all = t.takeReduced(x, all, room)
	for i := d - 1; i >= 0 && sums*s.axes[i].size <= most && all*s.axes[i].size <= maxTile; i-- {
		t.unrolled[i] = true
		sums *= s.axes[i].size
		all *= s.axes[i].size
	}
	return []tiled{t}
}

// tiled is a shape with a mark on each axis that is in the tile.
type tiled struct {
	*shape
	unrolled []bool
}

// width returns the number of elements of axis d in a tile. It minimises the overhead for each
// product: the ones of the loop, of each sum, and of each step of the reduced axes. A remainder
// costs another kernel.
func (s *shape) width(d, most int) int {
	best, least := 1, 1e300
	for n := 1; n <= min(most, s.axes[d].size); n++ {
		x := maxTile / n
		if s.max {
			x = min(x, maxChain)
		}
		x = s.room(x)
		overhead := float64(6+n+x) / float64(n*x)
		if s.axes[d].size%n > 0 {
			overhead *= 1.3
		}
		if overhead <= least {
			best, least = n, overhead
		}
	}
	return best
}

// room returns the number of steps of the reduced axes in a tile with room for most.
func (s *shape) room(most int) int {
	steps := 1
	for i := len(s.axes) - 1; i >= 0 && s.axes[i].reduced; i-- {
		n := divisor(s.axes[i].size, most/steps)
		steps *= n
		if n < s.axes[i].size {
			break
		}
	}
	return steps
}

// takeReduced unrolls reduced axes from axis i outwards while the tile, which has all products so
// far, has at most most. The last of them may be unrolled in part. It returns the number of
// products of the tile.
func (t *tiled) takeReduced(i, all, most int) int {
	for i >= 0 && t.axes[i].reduced {
		n := divisor(t.axes[i].size, most/all)
		if n < t.axes[i].size {
			if n > 1 {
				t.split(i, n)
				t.unrolled = slices.Insert(t.unrolled, i+1, true)
			}
			return all * n
		}
		t.unrolled[i] = true
		all *= n
		i--
	}
	return all
}

func (s *shape) all() []bool {
	return slices.Repeat([]bool{true}, len(s.axes))
}

// last returns the last axis that is, or is not, reduced, or -1.
func (s *shape) last(reduced bool) int {
	for i := len(s.axes) - 1; i >= 0; i-- {
		if s.axes[i].reduced == reduced {
			return i
		}
	}
	return -1
}

// divisor returns the largest divisor of n that is at most most.
func divisor(n, most int) int {
	for d := min(n, most); d > 1; d-- {
		if n%d == 0 {
			return d
		}
	}
	return 1
}
