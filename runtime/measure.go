package pgmrt

import "math"

// mostMeasured bounds the size of a measurement, and of the variance of its error and its inverse.
const mostMeasured = 1e30

// Measure enters a measurement of a real variable with an error of the given variance. The evidence
// in holds 1 and the value of the variable, or zeros; the precision of a measurement; and 1 if
// there is either. Measure returns the natural logarithm of the part of the measurement's density
// that the program does not compute: at the value if that is known, and else at the measurement. If
// the numbers are out of range, ok is false and in does not change.
func Measure(in []float64, mean, variance float64) (log float64, ok bool) {
	if !(math.Abs(mean) <= mostMeasured && variance >= 1/mostMeasured && variance <= mostMeasured) {
		return 0, false
	}
	log = -Ln(2*math.Pi*variance) / 2
	if in[0] == 1 {
		z := in[1] - mean
		return log - float64(z/variance*z)/2, true
	}
	in[1], in[2], in[3] = mean, 1/variance, 1
	return log, true
}
