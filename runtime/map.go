package pgmrt

import "math"

// rangeError is the error of evidence that leads to numbers beyond a float64.
type rangeError struct{}

// Error describes the fault.
func (rangeError) Error() string {
	return "the values of the evidence lead to numbers out of range"
}

// Unwrap returns ErrState.
func (rangeError) Unwrap() error { return ErrState }

// RootError returns the error of a query with root 0, which means impossible evidence, or not a
// number.
func RootError(root float64) error {
	if root == 0 {
		return ErrImpossible
	}
	return rangeError{}
}

// Antilog sets out to exp(logs-m) where weights are positive, and to 0 elsewhere. It sets most to
// m, the largest of logs where weights are positive, and to 0 if there is none.
func Antilog(out []float64, most *float64, logs, weights []float64) {
	m, found := 0.0, false
	for i, x := range logs {
		if weights[i] > 0 && (!found || x > m) {
			m, found = x, true
		}
	}
	*most = m
	for i, x := range logs {
		switch out[i] = 0; {
		case !(weights[i] > 0):
		case x-m == 0: // the largest, and the only one if a single state remains
			out[i] = 1
		case math.IsNaN(x - m):
			out[i] = math.NaN()
		default:
			out[i] = expFalling(x - m)
		}
	}
}

// Ratio returns x / y, and 0 if y is 0.
func Ratio(x, y float64) float64 {
	if y == 0 {
		return 0
	}
	return x / y
}

// CheckLog returns the error of a query with a log-probability that is not finite: ErrImpossible if
// it is -Inf. It returns nil if it is finite.
func CheckLog(logP float64) error {
	switch {
	case math.IsInf(logP, -1):
		return ErrImpossible
	case math.IsNaN(logP) || math.IsInf(logP, 1):
		return rangeError{}
	}
	return nil
}
