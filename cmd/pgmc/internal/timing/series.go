package timing

import "slices"

// Series is the samples of one thing.
type Series struct{ values []float64 }

// Add adds a sample. One that is not positive says that the clock failed, and is dropped.
func (s *Series) Add(ns float64) {
	if ns > 0 {
		s.values = append(s.values, ns)
	}
}

// Len is the number of samples.
func (s *Series) Len() int { return len(s.values) }

// Min is the least sample; 0 where there is none.
func (s *Series) Min() float64 {
	if len(s.values) == 0 {
		return 0
	}
	return slices.Min(s.values)
}

// Median is the middle sample, the upper of the two where their number is even; 0 where there is
// none.
func (s *Series) Median() float64 {
	if len(s.values) == 0 {
		return 0
	}
	sorted := slices.Clone(s.values)
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}
