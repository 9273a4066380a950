package forest_test

import (
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/learn/internal/forest"
)

// TestBranching checks that no other forest of directed edges has a larger weight, by enumeration
// of the parents of five variables.
func TestBranching(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	const n = 5
	for range 150 {
		var w [n][n]float64
		for u := range n {
			for v := range n {
				w[u][v] = float64(rng.IntN(40)-12) / 8 // sums are exact; some weights are equal or negative
			}
		}
		weigh := func(parents []int) (sum float64, ok bool) {
			for v, u := range parents {
				if u >= 0 {
					sum += w[u][v]
				}
				steps := 0
				for at := v; at >= 0; at = parents[at] {
					if steps++; steps > n {
						return 0, false
					}
				}
			}
			return sum, true
		}
		most, parents := 0.0, make([]int, n)
		for code := range 6 * 6 * 6 * 6 * 6 {
			for v := range n {
				parents[v] = code%6 - 1
				code /= 6
			}
			if sum, ok := weigh(parents); ok {
				most = max(most, sum)
			}
		}
		got := forest.Branching(n, func(u, v int) float64 { return w[u][v] })
		if sum, ok := weigh(got); !ok || sum != most {
			t.Fatalf("%v has weight %v, without cycles %v; want %v", got, sum, ok, most)
		}
	}
}
