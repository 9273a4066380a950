package rate

import "math"

// Mean is the mean of weighted numbers, with the sum of their squared deviations by the method of
// Welford (1962), which avoids cancellation.
type Mean struct {
	Weight float64 // total weight
	Value  float64
	sum2   float64
}

// Add adds a number. A weight of 0 adds nothing.
func (m *Mean) Add(x, weight float64) {
	if weight == 0 {
		return
	}
	m.Weight += weight
	off := x - m.Value
	m.Value += off * weight / m.Weight
	m.sum2 += weight * off * (x - m.Value)
}

// StdErr returns the standard error of the mean if weights are numbers of rows; 0 for one row or
// less.
func (m *Mean) StdErr() float64 {
	if m.Weight <= 1 {
		return 0
	}
	return math.Sqrt(m.sum2 / (m.Weight - 1) / m.Weight)
}
