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
//
// If first is not nil, the variables of each tree for which it is true are connected among
// themselves, so that none of them needs another variable as a parent; Direct starts from them. No
// other such forest has a larger weight: the choice among edges that join two of them leaves the
// other edges the same choices.
func Maximum(n int, edges []Edge, first []bool) []Edge {
	slices.SortStableFunc(edges, func(a, b Edge) int { return cmp.Compare(b.Weight, a.Weight) })
	inner := func(e Edge) bool { return first != nil && first[e.I] && first[e.J] }
	trees := model.NewDisjointSets(n)
	var out []Edge
	for _, e := range edges {
		if inner(e) && e.Weight > 0 && trees.Join(e.I, e.J) {
			out = append(out, e)
		}
	}
	if first != nil { // a tree may have edges to one of them only
		if root := slices.Index(first, true); root >= 0 {
			for v, ok := range first {
				if ok {
					trees.Join(root, v)
				}
			}
		}
	}
	for _, e := range edges {
		if !inner(e) && e.Weight > 0 && trees.Join(e.I, e.J) {
			out = append(out, e)
		}
	}
	return out
}

// Direct directs all edges away from the first variable of each tree, one for which first is true
// if there is one, and returns the parents of each variable. first may be nil.
func Direct(n int, edges []Edge, first []bool) [][]int {
	next := make([][]int, n)
	for _, e := range edges {
		next[e.I], next[e.J] = append(next[e.I], e.J), append(next[e.J], e.I)
	}
	parents, seen := make([][]int, n), make([]bool, n)
	var starts []int
	for v := range n {
		if first != nil && first[v] {
			starts = append(starts, v)
		}
	}
	for v := range n {
		starts = append(starts, v)
	}
	for _, start := range starts {
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
