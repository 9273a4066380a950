package order

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAdjacency has the matrix and the lists go through the same random eliminations.
func TestAdjacency(t *testing.T) {
	const n = 50
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
		weights := weightsOf(n, rng, 2, 3, 4)
		a := adjacency(&matrix{words: 1, bits: make([]uint64, n)})
		b := adjacency(&lists{of: make([][]int32, n), gone: make([]bool, n), degree: make([]int, n), mark: make([]int, n)})
		for range 3 * n {
			if u, v := rng.IntN(n), rng.IntN(n); u != v {
				a.join(u, v)
				b.join(u, v)
			}
		}
		a, b = a.clone(), b.clone()
		for _, v := range rng.Perm(n) {
			nb, other := a.neighbours(v, nil), b.neighbours(v, nil)
			if !slices.Equal(nb, other) {
				t.Fatalf("seed %d: neighbours of %d: %v in the matrix, %v in the lists", seed, v, nb, other)
			}
			for _, w := range []*edgeWeights{nil, weights} {
				if x, y := a.fill(v, nb, w), b.fill(v, nb, w); math.Abs(x-y) > 1e-9 {
					t.Fatalf("seed %d: fill of %d: %v in the matrix, %v in the lists", seed, v, x, y)
				}
			}
			added := b.fill(v, nb, nil) > 0
			a.eliminate(v, nb)
			if got := b.eliminate(v, nb); got != added {
				t.Fatalf("seed %d: eliminating %d adds edges: %v; want %v", seed, v, got, added)
			}
		}
	}
}

// weightsOf returns weights of vertices with random numbers of states among some.
func weightsOf(n int, rng *rand.Rand, card ...float64) *edgeWeights {
	logCard := make([]float64, n)
	for v := range logCard {
		logCard[v] = math.Log(card[rng.IntN(len(card))])
	}
	return newEdgeWeights(logCard)
}

// TestFills compares what a matrix knows of fill from before with what one without a past counts,
// to the bit, and the work that it reports, for all vertices after each elimination.
func TestFills(t *testing.T) {
	const n = 150
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 1))
		w := [...]*edgeWeights{nil, weightsOf(n, rng, 2), weightsOf(n, rng, 2, 6), weightsOf(n, rng, 3, 4)}[seed%4]
		if whole := seed%4 < 3; w != nil && w.whole != whole {
			t.Fatalf("seed %d: whole weights: %v; want %v", seed, w.whole, whole)
		}
		m := newAdjacency(n).(*matrix)
		for range (1 + seed/4) * n {
			if u, v := rng.IntN(n), rng.IntN(n); u != v {
				m.join(u, v)
			}
		}
		left := rng.Perm(n)
		for len(left) > 0 {
			plain := m.clone()
			for _, v := range left {
				nb, before, other := m.neighbours(v, nil), m.work(), plain.work()
				plain.(*matrix).fills = nil
				if x, y := m.fill(v, nb, w), plain.fill(v, nb, w); x != y || m.work()-before != plain.work()-other {
					t.Fatalf("seed %d, %d left: fill of %d: %v with work %d; want %v with %d",
						seed, len(left), v, x, m.work()-before, y, plain.work()-other)
				}
			}
			m.eliminate(left[0], m.neighbours(left[0], nil))
			left = left[1:]
		}
	}
}
