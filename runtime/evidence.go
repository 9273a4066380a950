package pgmrt

import "math"

// Observe sets l, the likelihood of one variable, by an observation: to ones for state 0, which
// means "not observed", and otherwise to a single one at state-1. It reports whether the variable
// has the state; if not, l is ones.
func Observe(l []float64, state uint) bool {
	if state == 0 || state > uint(len(l)) {
		for i := range l {
			l[i] = 1
		}
		return state == 0
	}
	clear(l)
	l[state-1] = 1
	return true
}

// Likelihood multiplies l by soft divided by its largest number, and returns the natural logarithm
// of that number, which belongs to the log-probability of the evidence. A soft of zeros means none.
// If a number is negative, infinite or not a number, ok is false and l does not change. The slices
// have the same length.
func Likelihood(l, soft []float64) (logScale float64, ok bool) {
	top := 0.0
	for _, x := range soft {
		if !(x >= 0 && x <= math.MaxFloat64) {
			return 0, false
		}
		top = max(top, x)
	}
	if top == 0 {
		return 0, true
	}
	l = l[:len(soft)]
	for i, x := range soft {
		if x == 0 { // also -0, which must not get into a product
			l[i] = 0
			continue
		}
		l[i] *= x / top // no reciprocal: that of a subnormal number is infinite
	}
	if top == 1 {
		return 0, true
	}
	return Ln(top), true
}

// Spread returns how far the smallest non-zero number of a likelihood lies below the largest, in
// bits: the part of float64's range that the likelihood can take.
func Spread(soft []float64) float64 {
	least, most := math.Inf(1), 0.0
	for _, x := range soft {
		if x > 0 {
			least = min(least, x)
		}
		most = max(most, x)
	}
	if least >= most {
		return 0
	}
	return math.Log2(most) - math.Log2(least)
}

// IsLikelihood reports whether no number of soft is negative, infinite or not a number.
func IsLikelihood(soft []float64) bool {
	for _, x := range soft {
		if !(x >= 0 && x <= math.MaxFloat64) {
			return false
		}
	}
	return true
}
