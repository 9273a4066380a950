package forest

// Branching returns the parent of each of n variables, or -1, in a forest of directed edges with
// the largest sum of weights. weight returns the weight of an edge from u to v. Edges without a
// positive weight are left out.
//
// Source: Edmonds 1967, Optimum branchings.
func Branching(n int, weight func(u, v int) float64) []int {
	var arcs []arc
	for v := range n {
		arcs = append(arcs, arc{n, v, 0, 0}) // from a root outside
		for u := range n {
			if u != v {
				if w := weight(u, v); w > 0 {
					arcs = append(arcs, arc{u, v, w, 0})
				}
			}
		}
	}
	parents := make([]int, n)
	for v, a := range arborescence(n+1, n, arcs)[:n] {
		if parents[v] = arcs[a].from; parents[v] == n {
			parents[v] = -1
		}
	}
	return parents
}

// arc is a directed edge, and its index in the list that it comes from.
type arc struct {
	from, to int
	weight   float64
	of       int
}

// arborescence returns the index of the arc into each of n nodes, except root, in a tree with the
// largest sum of weights. Ties go to the first. It contracts one cycle after the other.
func arborescence(n, root int, arcs []arc) []int {
	best := make([]int, n)
	for v := range best {
		best[v] = -1
	}
	for i, a := range arcs {
		if a.to != root && (best[a.to] < 0 || a.weight > arcs[best[a.to]].weight) {
			best[a.to] = i
		}
	}
	cycle := cycleOf(root, arcs, best)
	if cycle == nil {
		return best
	}
	nodes, merged := make([]int, n), 0
	for v := range nodes {
		if nodes[v] = merged; !cycle[v] {
			merged++
		}
	}
	for v := range nodes {
		if cycle[v] {
			nodes[v] = merged
		}
	}
	var rest []arc
	for i, a := range arcs {
		w := a.weight
		if cycle[a.to] {
			w -= arcs[best[a.to]].weight
		}
		if nodes[a.from] != nodes[a.to] {
			rest = append(rest, arc{nodes[a.from], nodes[a.to], w, i})
		}
	}
	for _, k := range arborescence(merged+1, nodes[root], rest) {
		if k >= 0 {
			i := rest[k].of
			best[arcs[i].to] = i
		}
	}
	return best
}

// cycleOf reports which nodes are in a cycle of the arcs best, or nil if there is none.
func cycleOf(root int, arcs []arc, best []int) []bool {
	for start := range best {
		seen := make([]bool, len(best))
		v := start
		for v != root && !seen[v] {
			seen[v] = true
			v = arcs[best[v]].from
		}
		if v == root {
			continue
		}
		cycle := make([]bool, len(best))
		for ; !cycle[v]; v = arcs[best[v]].from {
			cycle[v] = true
		}
		return cycle
	}
	return nil
}
