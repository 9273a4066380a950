package rate

import "math"

// Mean is the mean of weighted numbers, with the sum of their squared deviations by the method of
// Welford (1962), which avoids cancellation.
type Mean struct {
	Weight  float64 // total weight
	Value   float64
	Squares float64 // the sum of squared deviations
}

// Add adds a number. A weight of 0 adds nothing.
func (m *Mean) Add(x, weight float64) {
	if weight == 0 {
		return
	}
	m.Weight += weight
	off := x - m.Value
	m.Value += off * weight / m.Weight
	m.Squares += weight * off * (x - m.Value)
}

// Merge adds the numbers of another mean, by the rule of Chan, Golub and LeVeque (1983).
func (m *Mean) Merge(o Mean) {
	if m.Weight == 0 {
		*m = o
		return
	}
	if o.Weight == 0 {
		return
	}
	all, off := m.Weight+o.Weight, o.Value-m.Value
	m.Squares += o.Squares + off*off*(m.Weight*o.Weight/all)
	m.Value += off * o.Weight / all
	m.Weight = all
}

// StdErr returns the standard error of the mean if weights are numbers of rows; 0 for one row or
// less.
func (m *Mean) StdErr() float64 {
	if m.Weight <= 1 {
		return 0
	}
	return math.Sqrt(m.Squares / (m.Weight - 1) / m.Weight)
}
