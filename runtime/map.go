package pgmrt

import "math"

// Antilog sets out to exp(logs-m) where weights are positive, and to 0 elsewhere. It sets most to m,
// the largest of logs where weights are positive, and to 0 if there is none.
func Antilog(out []float64, most *float64, logs, weights []float64) {
	m, found := 0.0, false
	for i, x := range logs {
		if weights[i] > 0 && (!found || x > m) {
			m, found = x, true
		}
	}
	*most = m
	for i, x := range logs {
		if out[i] = 0; weights[i] > 0 {
			out[i] = math.Exp(x - m)
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
