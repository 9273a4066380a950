package pgmrt

import "math"

// InRange reports whether each parameter is 0 or from 1e-60 to 1e60, so that products of some stay
// within float64.
func InRange(x []float64) bool {
	for _, v := range x {
		if v != 0 && !(v >= 1e-60 && v <= 1e60) {
			return false
		}
	}
	return true
}

// GaussianInRange reports whether the numbers of a Gaussian CPD, the last of which are variances,
// are in range and can replace own: of a size of at most most, and variances of at least least. A
// variance of 0 stays 0.
func GaussianInRange(x, own []float64, variances int, least, most float64) bool {
	for i, v := range x {
		variance := i >= len(x)-variances
		if !(math.Abs(v) <= most) || variance && ((v == 0) != (own[i] == 0) || v != 0 && v < least) {
			return false
		}
	}
	return true
}
