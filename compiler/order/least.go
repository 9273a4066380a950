package order

import (
	"math"
	"math/bits"
)

// leastEntries returns the fewest bucket entries of all orders of the vertices of g, lower groups
// first, by dynamic programming over sets of eliminated vertices. Entries are added in the order of
// elimination, as [Graph.CostOf] does. Rounding keeps sums in order, so that the result is exactly
// the least cost. It takes n·2^n buckets for n vertices.
func leastEntries(g *Graph, group []int) float64 {
	n := len(g.Vertices)
	place := make([]int, len(g.logCard)) // by vertex, in Vertices; -1 if it is not eliminated
	for v := range place {
		place[v] = -1
	}
	for i, v := range g.Vertices {
		place[v] = i
	}
	next, nb := make([][]int, n), []int(nil) // by place
	for i, v := range g.Vertices {
		nb = g.adj.neighbours(v, nb)
		next[i] = append(next[i], nb...)
	}
	least := make([]float64, 1<<n)
	for s := 1; s < len(least); s++ {
		least[s] = math.Inf(1)
	}
	reached := make([]bool, len(g.logCard))
	for s := range least {
		for i, v := range g.Vertices {
			if s>>i&1 != 0 || math.IsInf(least[s], 1) || !g.lowest(s, i, group) {
				continue
			}
			clear(reached)
			reach(next, place, s, i, reached)
			nb = nb[:0]
			for u, is := range reached {
				if is && u != v && (place[u] < 0 || s>>place[u]&1 == 0) {
					nb = append(nb, u)
				}
			}
			to := &least[s|1<<i]
			*to = min(*to, least[s]+g.bucket(v, nb))
		}
	}
	return least[len(least)-1]
}

// lowest reports whether no vertex outside of the set s is in a lower group than the vertex at i.
func (g *Graph) lowest(s, i int, group []int) bool {
	if group == nil {
		return true
	}
	for rest := (1<<len(g.Vertices) - 1) &^ s; rest != 0; rest &= rest - 1 {
		if group[g.Vertices[bits.TrailingZeros(uint(rest))]] < group[g.Vertices[i]] {
			return false
		}
	}
	return true
}

// reach marks the vertices on paths from the vertex at i through vertices of the set s.
func reach(next [][]int, place []int, s, i int, reached []bool) {
	for _, u := range next[i] {
		if reached[u] {
			continue
		}
		reached[u] = true
		if k := place[u]; k >= 0 && s>>k&1 != 0 {
			reach(next, place, s, k, reached)
		}
	}
}
