package pgmrt

import "math"

// Normalize divides x, numbers of at least 0, by their sum. Zeros stay. It multiplies by the
// reciprocal of the sum if that is a normal number.
func Normalize(x []float64) {
	sum := normalizeSum(x)
	if sum > math.MaxFloat64 { // the sum of finite numbers overflows
		Rescale(x)
		sum = normalizeSum(x)
	}
	if sum == 0 {
		return
	}
	if sum >= 0x1p-1000 && sum <= 0x1p1000 {
		r := 1 / sum
		for i := range x {
			x[i] *= r
		}
		return
	}
	for i := range x {
		x[i] /= sum
	}
}

// AtMostOne sets the numbers of x above 1 to 1. Probabilities that share the reciprocal of a sum as
// a factor, and are not normalised one by one, may exceed 1 by rounding errors.
func AtMostOne(x []float64) {
	for i, p := range x {
		if p > 1 {
			x[i] = 1
		}
	}
}

func normalizeSum(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum
}
