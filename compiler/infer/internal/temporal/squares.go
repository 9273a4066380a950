package temporal

import "math"

// Squares holds sums of squares over histories that were drawn, for standard errors of
// probabilities. The weight v of a history after the slice is relative to the same number as the
// weights of a growth.
type Squares struct {
	After         float64     // of v²
	first, second [][]float64 // by discrete variable and state: of v²p and (vp)²
}

// Add adds a history, with its probabilities by discrete variable and state.
func (s *Squares) Add(list [][]float64, after float64) {
	s.After += float64(after * after)
	if s.first == nil {
		for i := range list {
			s.first = append(s.first, make([]float64, len(list[i])))
			s.second = append(s.second, make([]float64, len(list[i])))
		}
	}
	for i := range list {
		for k, p := range list[i] {
			s.first[i][k] += float64(after * after * p)
			s.second[i][k] += float64(after * after * p * p)
		}
	}
}

// Rescale multiplies the weights after the slice.
func (s *Squares) Rescale(by float64) {
	s.After *= by * by
	for i := range s.first {
		for k := range s.first[i] {
			s.first[i][k] *= by * by
			s.second[i][k] *= by * by
		}
	}
}

// Largest returns the largest standard error of the probabilities of list.
func (s *Squares) Largest(list [][]float64, total float64) float64 {
	if s == nil || s.first == nil {
		return 0
	}
	most := 0.0
	for i := range list {
		for k, p := range list[i] {
			most = max(most, s.second[i][k]-2*p*s.first[i][k]+p*p*s.After)
		}
	}
	return math.Sqrt(most) / total
}
