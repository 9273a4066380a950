package infer

import "math"

// squares holds sums of squares over histories that were drawn, for standard errors of
// probabilities. The weight v of a history after the slice is relative to the same number as the
// weights of a growth.
type squares struct {
	after         float64     // of v²
	first, second [][]float64 // by discrete variable and state: of v²p and (vp)²
}

// add adds a history.
func (s *squares) add(list []Distribution, after float64) {
	s.after += float64(after * after)
	if s.first == nil {
		for i := range list {
			s.first = append(s.first, make([]float64, len(list[i].P)))
			s.second = append(s.second, make([]float64, len(list[i].P)))
		}
	}
	for i := range list {
		for k, p := range list[i].P {
			s.first[i][k] += float64(after * after * p)
			s.second[i][k] += float64(after * after * p * p)
		}
	}
}

// rescale multiplies the weights after the slice.
func (s *squares) rescale(by float64) {
	s.after *= by * by
	for i := range s.first {
		for k := range s.first[i] {
			s.first[i][k] *= by * by
			s.second[i][k] *= by * by
		}
	}
}

// largest returns the largest standard error of the probabilities of list.
func (s *squares) largest(list []Distribution, total float64) float64 {
	if s == nil || s.first == nil {
		return 0
	}
	most := 0.0
	for i := range list {
		for k, p := range list[i].P {
			most = max(most, s.second[i][k]-2*p*s.first[i][k]+p*p*s.after)
		}
	}
	return math.Sqrt(most) / total
}
