package pgmrt

import "math"

// Normalize divides x, numbers of at least 0, by their sum. Zeros stay.
func Normalize(x []float64) {
	sum := normalizeSum(x)
	if sum > math.MaxFloat64 { // the sum of finite numbers overflows
		Rescale(x)
		sum = normalizeSum(x)
	}
	if sum == 0 {
		return
	}
	for i := range x {
		x[i] /= sum
	}
}

func normalizeSum(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum
}
