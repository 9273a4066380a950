// Package forest finds maximum spanning forests over weighted pairs of variables, for learners of
// trees. It reads no data and computes no scores.
//
// Source: Kruskal 1956.
package forest

import (
	"cmp"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Edge joins two variables, I before J.
type Edge struct {
	I, J   int
	Weight float64
}

// Maximum returns the edges of a maximum spanning forest of n variables. It sorts edges by weight,
// stably, so that ties go to the earlier edge. Edges without a positive weight are left out.
func Maximum(n int, edges []Edge) []Edge {
	slices.SortStableFunc(edges, func(a, b Edge) int { return cmp.Compare(b.Weight, a.Weight) })
	trees := model.NewDisjointSets(n)
	var out []Edge
	for _, e := range edges {
		if e.Weight > 0 && trees.Join(e.I, e.J) {
			out = append(out, e)
		}
	}
	return out
}

// Direct directs all edges away from the first variable of each tree and returns the parents of
// each variable.
func Direct(n int, edges []Edge) [][]int {
	next := make([][]int, n)
	for _, e := range edges {
		next[e.I], next[e.J] = append(next[e.I], e.J), append(next[e.J], e.I)
	}
	parents, seen := make([][]int, n), make([]bool, n)
	for start := range n {
		if seen[start] {
			continue
		}
		seen[start] = true
		for queue := []int{start}; len(queue) > 0; queue = queue[1:] {
			for _, v := range next[queue[0]] {
				if !seen[v] {
					seen[v], parents[v] = true, []int{queue[0]}
					queue = append(queue, v)
				}
			}
		}
	}
	return parents
}
