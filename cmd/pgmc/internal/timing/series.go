package timing

import "slices"

// Series holds the samples of one thing.
type Series struct{ values []float64 }

// Add adds a sample, in nanoseconds or any other unit. It drops a sample that is not positive,
// which means that the clock failed.
func (s *Series) Add(ns float64) {
	if ns > 0 {
		s.values = append(s.values, ns)
	}
}

// Len returns the number of samples.
func (s *Series) Len() int { return len(s.values) }

// Min returns the least sample, or 0 without samples.
func (s *Series) Min() float64 {
	if len(s.values) == 0 {
		return 0
	}
	return slices.Min(s.values)
}

// Median returns the middle sample, the upper of the two if their number is even, or 0 without
// samples.
func (s *Series) Median() float64 {
	if len(s.values) == 0 {
		return 0
	}
	sorted := slices.Clone(s.values)
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}
