package average

import (
	"math"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/parentsets"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// negligible is the distance below the largest term of a sum, in logarithms, at which terms are
// dropped: e^-60 is 1e-26, and there are at most 1e7 sets.
const negligible = 60

// eachSet calls f for each set within the predecessors, with weight e to its score minus the best
// score, until the rest is negligible. It returns the best set. list is in descending order of
// scores.
func eachSet(list []parentsets.Set, before graph.Set, f func(s *parentsets.Set, weight float64)) (best *parentsets.Set) {
	for i := range list {
		s := &list[i]
		switch {
		case !s.In.Within(before):
			continue
		case best == nil:
			best = s
		case s.Score < best.Score-negligible:
			return best
		}
		f(s, math.Exp(s.Score-best.Score))
	}
	return best
}

// term returns the logarithm of the sum of e to the score of the family over the parent sets of a
// variable within its predecessors: a factor of equation 18.14 of Koller and Friedman.
func term(list []parentsets.Set, before graph.Set) float64 {
	sum := 0.0
	best := eachSet(list, before, func(_ *parentsets.Set, w float64) { sum += w })
	return best.Score + pgmrt.Ln(sum)
}

// addParents adds the probability of each parent of a variable, given its predecessors, to a row by
// parent (proposition 18.8). It returns the best set.
func addParents(row []float64, list []parentsets.Set, before graph.Set) *parentsets.Set {
	own, sum := make([]float64, len(row)), 0.0
	best := eachSet(list, before, func(s *parentsets.Set, w float64) {
		sum += w
		for _, u := range s.Parents {
			own[u] += w
		}
	})
	for u, w := range own {
		row[u] += w / sum
	}
	return best
}

// predecessors returns the variables before each one in an order, by variable.
func predecessors(order []int) []graph.Set {
	before := make([]graph.Set, len(order))
	seen := graph.NewSet(len(order))
	for _, x := range order {
		before[x] = append(graph.Set(nil), seen...)
		seen.Add(x)
	}
	return before
}

// given returns the logarithm of the probability of the data given an order, up to the number of
// structures, and the probability of each edge by child and parent. lists are by variable and in
// descending order of scores.
func given(lists [][]parentsets.Set, order []int) (logP float64, edges [][]float64, best [][]int) {
	edges, best = make([][]float64, len(order)), make([][]int, len(order))
	for x, before := range predecessors(order) {
		edges[x] = make([]float64, len(order))
		logP += term(lists[x], before)
		best[x] = addParents(edges[x], lists[x], before).Parents
	}
	return logP, edges, best
}
