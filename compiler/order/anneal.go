package order

import (
	"math"
	"math/rand/v2"
	"slices"
)

// The temperatures were measured: from 2 down, a 20 by 20 grid did not get better than the greedy
// search had left it; from 0.3 down, munin1 and munin4 ended with 2 to 3 % more entries than from
// 0.5.
const hot, cold = 0.5, 0.05

// The bounds of the search by rotations.
const (
	annealFrom   = 1 << 20 // bucket entries; a network with fewer takes less time to query than to search
	rounds       = 3       // each begins with the best order, because a long run may end in a worse valley than it began in
	movesPerStep = 40      // a rotation looks at two buckets, a step of the greedy search rescores all neighbours
	mostMoved    = 1e9     // words that moves look at: a few seconds
	detour       = 1024    // the multiple of the best order's entries that may be visited; beyond it, sums lose their digits
)

// anneal improves r by rotations of its forest. It does not change r if it has few or infinitely
// many entries, and if the graph has too many vertices for a matrix. Only vertices of the same
// group change places.
func anneal(g *Graph, r Result, opt Options, rng *rand.Rand) Result {
	if _, ok := g.adj.(*matrix); !ok || r.Cost.hopeless() || r.Cost.Entries < annealFrom {
		return r
	}
	looked := 0
	for range rounds {
		f := newForest(g, r.Order)
		f.looked = looked
		order := f.anneal(g.Vertices, opt.Group, movesPerStep*opt.Steps/rounds, rng)
		looked = f.looked
		if opt.Group != nil {
			slices.SortStableFunc(order, func(a, b int) int { return opt.Group[a] - opt.Group[b] })
		}
		if c := g.CostOf(order); c.Entries < r.Cost.Entries {
			r.Order, r.Cost, r.Annealed = order, c, true
		}
	}
	return r
}

// anneal makes random rotations and returns the best order that it visits (Kirkpatrick, Gelatt and
// Vecchi 1983; for orders, Kjærulff 1992). It accepts a rotation that multiplies the entries of its
// two buckets by x with probability x^(-1/T), where T falls from hot to cold. The factor is of two
// buckets, not of all: a few buckets make up most of the total, and beside them no change of the
// others would ever be refused.
func (f *forest) anneal(vertices, group []int, moves int, rng *rand.Rand) []int {
	best := f.total
	order := f.order(vertices)
	newer := false // the forest is better than order
	for i := 0; i < moves && f.looked < mostMoved; i++ {
		v := vertices[rng.IntN(len(vertices))]
		p := f.parent[v]
		if p < 0 || group != nil && group[v] != group[p] {
			continue
		}
		size, parentSize := f.try(v)
		old, made := f.size[v]+f.size[p], size+parentSize
		if made > old {
			t := hot * math.Pow(cold/hot, float64(i)/float64(moves))
			if f.total-old+made > detour*best || rng.Float64() >= math.Pow(old/made, 1/t) {
				continue
			}
			if newer {
				order, newer = f.order(vertices), false
			}
		}
		f.rotate(v, size, parentSize)
		if f.total < best*(1-1e-9) { // more than rounding
			best, newer = f.total, true
		}
	}
	if newer {
		order = f.order(vertices)
	}
	return order
}
