package rate

import "math"

// Mean is the mean of weighted numbers, with the sum of their squared distances from it as Welford (1962) keeps it, which loses no digits.
type Mean struct {
	Weight float64 // of all numbers
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

// StdErr is the standard error of the mean, where weights are numbers of rows; 0 of one row or less.
func (m *Mean) StdErr() float64 {
	if m.Weight <= 1 {
		return 0
	}
	return math.Sqrt(m.sum2 / (m.Weight - 1) / m.Weight)
}
