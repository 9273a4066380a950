package data

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Folds shuffles the rows by the seed and splits them into n parts, with sizes that differ by at
// most one. It returns the row numbers of each part. There must be at least n rows. Of sequences it
// splits these, and returns their numbers; see [Set.Take].
//
// Source: Koller and Friedman, algorithm 16.A.1.
func (s *Set) Folds(n int, seed uint64) [][]int {
	total, _ := s.Units()
	folds := make([][]int, n)
	for i, row := range rand.New(rand.NewPCG(seed, 0)).Perm(total) {
		folds[i%n] = append(folds[i%n], row)
	}
	return folds
}

// Split shuffles the numbers of n rows by the seed and splits them into parts of the given shares,
// which sum to 1. The size of a part differs from its share of the rows by less than one row.
func Split(n int, shares []float64, seed uint64) [][]int {
	order := rand.New(rand.NewPCG(seed, 0)).Perm(n)
	parts := make([][]int, len(shares))
	sum, start := 0.0, 0
	for i, share := range shares {
		sum += share
		end := min(n, int(math.Round(sum*float64(n))))
		if i == len(shares)-1 {
			end = n
		}
		parts[i], start = slices.Sorted(slices.Values(order[start:end])), end
	}
	return parts
}

// Subset returns the set of the given rows.
func (s *Set) Subset(rows []int) *Set {
	out := &Set{Vars: s.Vars, rows: len(rows)}
	if s.reals != nil {
		out.reals = make([][]float64, len(s.columns))
	}
	for v, c := range s.columns {
		if real := s.Real(v); real != nil {
			for _, i := range rows {
				out.reals[v] = append(out.reals[v], real[i])
			}
		}
		to := makeStates(c.wide(), len(rows))
		for _, i := range rows {
			to.add(c.At(i))
		}
		out.columns = append(out.columns, to)
	}
	if s.weights != nil {
		out.weights = make([]float64, 0, len(rows))
		for _, i := range rows {
			out.weights = append(out.weights, s.weights[i])
		}
	}
	return out
}
