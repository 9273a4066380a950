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
	weight := func(a, b int) float64 { return float64(1 + a*b%7) }
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
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
			for _, w := range []func(a, b int) float64{nil, weight} {
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
