package contraction

import (
	"math"
	"math/rand/v2"
	"slices"
)

// The temperatures were measured, and so was the number of rounds: all posteriors of linkage_11
// took 2e11 operations after one round from 1 down, 2e9 after three from .5, and 8e8 after ten from
// .3.
const hot, cold = 0.3, 0.05

// The bounds of the search.
const (
	rounds      = 10      // each begins with the best tree
	fewRounds   = 3       // of a tree of at most cheap
	cheap       = 1e8     // the price of a tree that is not worth the other rounds
	roundMoves  = 670_000 // rotations of a round
	movesOfLeaf = 1200    // rotations of a round for each leaf
	mostLooked  = 2e9     // words that rotations look at: some seconds
	checkEvery  = 1 << 12 // rotations between two looks at the deadline
	detour      = 1024.   // the multiple of the best price that may be visited; beyond it, the total loses its digits
)

// Anneal improves t by local rotations (Kirkpatrick, Gelatt and Vecchi 1983; for contraction trees,
// Kalachev, Panteleev and Yung 2021). A rotation exchanges a child of a node with the sibling of
// that node, which changes two nodes and no others; ((x·y)·z) becomes ((x·z)·y). One that
// multiplies the price of its two nodes by f is accepted with probability f^(-1/T), where T falls
// from hot to cold. The work is counted, so that the same network and seed give the same tree.
func (t *Tree) Anneal(seed uint64) { t.anneal(seed, rounds) }

// anneal is Anneal with at most so many rounds.
func (t *Tree) anneal(seed uint64, rounds int) {
	inner := make([]int32, 0, len(t.kids))
	for p := range t.kids {
		if !t.leaf(int32(p)) {
			inner = append(inner, int32(p))
		}
	}
	if len(inner) < 2 {
		return
	}
	rng := rand.New(rand.NewPCG(seed, 0xa0761d6478bd642f))
	moves := min(roundMoves, movesOfLeaf*len(inner))
	t.looked = 0
	for i := range rounds {
		if i >= fewRounds && t.total <= cheap {
			return
		}
		t.round(inner, moves, rng)
	}
}

// round makes random rotations and leaves t as the best tree that it met.
func (t *Tree) round(inner []int32, moves int, rng *rand.Rand) {
	best, shape, newer := t.total, slices.Clone(t.kids), false
	for i := 0; i < moves && t.looked < mostLooked; i++ {
		if i%checkEvery == 0 && t.stopped() {
			break
		}
		p := inner[rng.IntN(len(inner))]
		r := rotation{p: p, side: rng.IntN(2), kid: rng.IntN(2)}
		if !t.try(&r) {
			continue
		}
		old := t.price[p] + t.price[r.c]
		if r.price() > old {
			temperature := hot * math.Pow(cold/hot, float64(i)/float64(moves))
			if t.total-old+r.price() > detour*best || rng.Float64() >= math.Pow(old/r.price(), 1/temperature) {
				continue
			}
			if newer {
				copy(shape, t.kids)
				newer = false
			}
		}
		t.total += r.price() - old
		t.rotate(&r)
		if t.total < best*(1-1e-9) { // more than rounding
			best, newer = t.total, true
		}
	}
	if !newer {
		t.shape(shape)
	}
	t.measure()
}

// shape gives nodes the given children.
func (t *Tree) shape(kids [][2]int32) {
	copy(t.kids, kids)
	for p, k := range t.kids {
		if k[0] != none {
			t.parent[k[0]], t.parent[k[1]] = int32(p), int32(p)
			t.fixed[p] = false
		}
	}
	for _, p := range t.postOrder(func(p int32) [2]int32 { return t.kids[p] }) {
		if k := t.kids[p]; k[0] != none {
			t.fixed[p] = t.fixed[k[0]] && t.fixed[k[1]]
		}
	}
}

// rotation exchanges child kid of node c, the child of p on the given side, with the other child of
// p.
type rotation struct {
	p, c      int32
	side, kid int
	size      float64    // of the new result of c
	fixed     bool       // whether the new c is constant
	prices    [2]float64 // the new ones of c and p
}

func (r *rotation) price() float64 { return r.prices[0] + r.prices[1] }

// try computes the prices of r. It returns false if the node has no children to exchange.
func (t *Tree) try(r *rotation) bool {
	r.c = t.kids[r.p][r.side]
	if t.leaf(r.c) {
		return false
	}
	z, x, y := t.kids[r.p][1-r.side], t.kids[r.c][1-r.kid], t.kids[r.c][r.kid]
	t.looked += 5 * len(t.a)
	above, sy := t.scope[r.p], t.scope[y]
	t.a.union(t.scope[x], t.scope[z])
	for i := range t.b {
		t.b[i] = t.a[i] & (sy[i] | above[i])
		t.c[i] = t.b[i] | sy[i]
	}
	r.size, r.fixed = t.net.size(t.b), t.fixed[x] && t.fixed[z]
	r.prices[0] = t.priceOf(t.net.size(t.a), r.size, x, z)
	oldSize, oldFixed := t.size[r.c], t.fixed[r.c]
	t.size[r.c], t.fixed[r.c] = r.size, r.fixed
	r.prices[1] = t.priceOf(t.net.size(t.c), t.size[r.p], r.c, y)
	t.size[r.c], t.fixed[r.c] = oldSize, oldFixed
	return true
}

// rotate does what try computed last.
func (t *Tree) rotate(r *rotation) {
	z, y := t.kids[r.p][1-r.side], t.kids[r.c][r.kid]
	t.kids[r.c][r.kid], t.kids[r.p][1-r.side] = z, y
	t.parent[z], t.parent[y] = r.c, r.p
	copy(t.scope[r.c], t.b)
	t.size[r.c], t.fixed[r.c] = r.size, r.fixed
	t.price[r.c], t.price[r.p] = r.prices[0], r.prices[1]
}
