package forest_test

import (
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/learn/internal/forest"
)

// TestDense checks that Dense finds a forest of the same weight as Maximum, without cycles.
func TestDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 12; n++ {
		w := make([]float64, n*n)
		var list []forest.Edge
		for j := range n {
			for i := range j {
				w[i*n+j] = float64(rng.IntN(40)-10) / 8 // sums are exact; some weights are equal or negative
				list = append(list, forest.Edge{I: i, J: j, Weight: w[i*n+j]})
			}
		}
		want, got := 0.0, 0.0
		for _, e := range forest.Maximum(n, list) {
			want += e.Weight
		}
		parents := forest.Dense(n, func(i, j int) float64 { return w[i*n+j] })
		for i, p := range parents {
			if p >= 0 {
				got += w[min(i, p)*n+max(i, p)]
			}
			steps := 0
			for at := i; at >= 0; at = parents[at] {
				if steps++; steps > n {
					t.Fatalf("%v has a cycle", parents)
				}
			}
		}
		if got != want {
			t.Errorf("%d variables: weight %v; want %v", n, got, want)
		}
	}
}
