package data

import "math/rand/v2"

// Filled returns the set with missing values replaced by draws from the marginal distributions of
// their variables, or s if no value is missing.
func (s *Set) Filled(seed uint64) (*Set, error) {
	missing := false
	for v := range s.Vars {
		missing = missing || s.Misses(v)
	}
	if !missing {
		return s, nil
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	counter := NewCounter(s, 0)
	rows := make([][]int, s.Len())
	for i := range rows {
		rows[i] = make([]int, len(s.Vars))
		s.Row(i, rows[i])
		for v, x := range rows[i] {
			if x == Missing {
				rows[i][v] = draw(rng, counter.Counts(v))
			}
		}
	}
	return New(s.Vars, rows, s.Weights())
}

// draw draws a state in proportion to counts plus one.
func draw(rng *rand.Rand, counts []float64) int {
	sum := float64(len(counts))
	for _, n := range counts {
		sum += n
	}
	at := rng.Float64() * sum
	for k, n := range counts {
		if at -= n + 1; at < 0 {
			return k
		}
	}
	return len(counts) - 1
}
