package score

import (
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
)

// Rows that miss a value of a family are left out of its counts. Sums over different rows do not
// compare: a parent with gaps would seem to gain the score of the rows that it takes with it. What
// the parents gain is therefore taken from the rows that have all of them, on which the variable is
// scored without parents too.

// gaps reports whether rows miss a value of one of vars.
func (s *Scorer) gaps(vars []int) bool {
	return slices.ContainsFunc(vars, func(v int) bool { return s.misses[v] })
}

// regain returns the score of a discrete variable without parents over all rows that have it, less
// that over rows in which its states have the given counts.
func (s *Scorer) regain(x int, same []float64) float64 {
	prior := s.prior([]int{x}, len(same))
	return s.Kind.family(s.Counter.Counts(x), prior, len(same), s.logRows) - s.Kind.family(same, prior, len(same), s.logRows)
}

// margin returns the counts of the states of a variable, by the counts of its family.
func margin(n []float64, card int) []float64 {
	out := make([]float64, card)
	for row := range slices.Chunk(n, card) {
		for k, c := range row {
			out[k] += c
		}
	}
	return out
}

// countWith returns the counts of the states of x in the rows that miss no value of parents.
func (s *Scorer) countWith(x int, parents []int) []float64 {
	set, out := s.Counter.Set(), make([]float64, s.Counter.Card(x))
	states := make([]int, len(set.Vars))
	for i := range set.Len() {
		set.Row(i, states)
		if states[x] != data.Missing && !slices.ContainsFunc(parents, func(v int) bool { return states[v] == data.Missing }) {
			out[states[x]] += set.Weight(i)
		}
	}
	return out
}

// regainReal is regain for a real variable, by the moments of its family.
func (s *Scorer) regainReal(x int, moments []data.Moment) float64 {
	all := s.split(x, nil)
	all.moments = s.moments.Of(nil, []int{x})
	same := s.split(x, nil)
	same.moments = make([]data.Moment, 1)
	for i := range moments {
		m := moments[i]
		for len(m.Mean) > 1 {
			m = m.Without(0)
		}
		if i == 0 {
			same.moments[0] = m
		} else {
			same.moments[0] = same.moments[0].Merge(&m)
		}
	}
	return s.Kind.gaussian(s, all) - s.Kind.gaussian(s, same)
}
