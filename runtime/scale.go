package pgmrt

import (
	"math"
	"math/bits"
)

// Rescale multiplies x, numbers of at least 0, by the power of two that brings the largest into [1, 2), and gives k
// such that old = new * 2^k. Only numbers more than 2^1022 times smaller than the largest are rounded. Zeros stay and
// give 0.
func Rescale(x []float64) (k int) {
	top := uint64(0) // bit patterns of numbers of at least 0 are ordered as the numbers are
	for _, v := range x {
		top = max(top, math.Float64bits(v)&^(1<<63))
	}
	if top == 0 {
		return 0
	}
	k = int(top>>52) - 1023
	if k == -1023 { // subnormal: the leading bit of the fraction says how small
		k = bits.Len64(top) - 1075
	}
	switch {
	case k == 0:
	case k == 1023:
		rescaleBy(x, 0x1p-1023)
	case k >= -1023:
		rescaleBy(x, math.Float64frombits(uint64(1023-k)<<52))
	default: // 2^-k itself is beyond the range
		rescaleBy(x, 0x1p1023)
		rescaleBy(x, math.Float64frombits(uint64(-k)<<52))
	}
	return k
}

func rescaleBy(x []float64, f float64) {
	for i := range x {
		x[i] *= f
	}
}
