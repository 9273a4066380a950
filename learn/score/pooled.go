package score

import (
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Pooled returns the score of discrete variables with the same states that share their parents and
// one CPD, as in a module network: the score of a family with the counts of all of them (Koller and
// Friedman, exercise 18.22). Of one variable it is [Scorer.Family]. The score must not be bde, of
// which each variable has a prior of its own.
func (s *Scorer) Pooled(members []int, parents ...int) float64 {
	sorted := slices.Sorted(slices.Values(parents))
	n, card := s.PooledCounts(members, sorted), s.Counter.Card(members[0])
	family := func(vars []int, n []float64) float64 { return s.Kind.family(n, s.prior(vars, len(n)), card, s.logRows) }
	total := family(append(slices.Clip(sorted), members[0]), n) + s.opt.Param*float64(len(n)/card*(card-1))
	if s.gaps(sorted) {
		total += family(members[:1], s.PooledCounts(members, nil)) - family(members[:1], margin(n, card))
	}
	for _, x := range members {
		total += s.edges(x, sorted)
	}
	return total
}

// PooledCounts returns the sum of the counts of families of variables with the same states, with
// the states of the variable fastest.
func (s *Scorer) PooledCounts(members, parents []int) []float64 {
	var sum []float64
	for _, x := range members {
		n := s.Counter.Counts(append(slices.Clip(parents), x)...)
		if sum == nil {
			sum = slices.Clone(n)
		} else {
			floats.Add(sum, n)
		}
	}
	return sum
}
