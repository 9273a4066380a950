package pgmrt

import (
	"math"
	"math/bits"
)

// Rescale multiplies x, numbers of at least 0, by the power of two that brings the largest into [1,
// 2), and returns k such that old = new * 2^k. Only numbers more than 2^1022 times smaller than the
// largest are rounded. Zeros stay, with k = 0.
func Rescale(x []float64) (k int) {
	k = Exponent(Top(x))
	ScaleBy(x, k)
	return k
}

// Top returns the bit pattern of the largest of x, numbers of at least 0. The patterns are ordered
// as the numbers are, and -0 comes before all others. Four are compared at a time, because each
// comparison waits for the one before.
func Top(x []float64) int64 {
	var a, b, c, d int64
	for ; len(x) >= 4; x = x[4:] {
		a = max(a, int64(math.Float64bits(x[0])))
		b = max(b, int64(math.Float64bits(x[1])))
		c = max(c, int64(math.Float64bits(x[2])))
		d = max(d, int64(math.Float64bits(x[3])))
	}
	for _, v := range x {
		a = max(a, int64(math.Float64bits(v)))
	}
	return max(a, b, c, d)
}

// Exponent returns the k for which a number, given by its bit pattern, is 2^k times one in [1, 2).
// It is 0 for zero.
func Exponent(top int64) (k int) {
	if top == 0 {
		return 0
	}
	k = int(top>>52) - 1023
	if k == -1023 { // subnormal: the leading bit of the fraction gives the exponent
		k = bits.Len64(uint64(top)) - 1075
	}
	return k
}

// ScaleBy multiplies x by 2^-k, k being the exponent of a number.
func ScaleBy(x []float64, k int) {
	f, g := scaleFactors(k)
	if f != 1 {
		multiply(x, f)
	}
	if g != 1 {
		multiply(x, g)
	}
}

// scaleFactors returns two powers of two with the product 2^-k. The first one is 1 only if k is 0,
// and the second one unless 2^-k overflows.
func scaleFactors(k int) (f, g float64) {
	switch {
	case k == 1023:
		return 0x1p-1023, 1
	case k >= -1023:
		return math.Float64frombits(uint64(1023-k) << 52), 1
	}
	return 0x1p1023, math.Float64frombits(uint64(-k) << 52)
}

func multiply(x []float64, f float64) {
	for ; len(x) >= 4; x = x[4:] {
		x[0] *= f
		x[1] *= f
		x[2] *= f
		x[3] *= f
	}
	for i := range x {
		x[i] *= f
	}
}
