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
		for _, e := range forest.Maximum(n, list, nil) {
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

// TestFirst checks that the chosen variables of a tree are connected, that no other such forest has
// a larger weight, by enumeration, and that edges lead away from them.
func TestFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	for range 200 {
		const n = 5
		first := make([]bool, n)
		for v := range first {
			first[v] = rng.IntN(2) == 0
		}
		var list []forest.Edge
		for j := range n {
			for i := range j {
				list = append(list, forest.Edge{I: i, J: j, Weight: float64(rng.IntN(20)-4) / 8})
			}
		}
		most := 0.0
		for set := range 1 << len(list) {
			weight, parent, ok := 0.0, []int{0, 1, 2, 3, 4}, true
			find := func(v int) int {
				for parent[v] != v {
					v = parent[v]
				}
				return v
			}
			for pass := range 2 { // edges between chosen variables come first
				for k, e := range list {
					if set>>k&1 == 0 || (first[e.I] && first[e.J]) != (pass == 0) {
						continue
					}
					a, b := find(e.I), find(e.J)
					if first[b] {
						a, b = b, a
					}
					if a == b || pass == 1 && first[a] && first[b] {
						ok = false
						break
					}
					parent[b], weight = a, weight+e.Weight // a chosen root stays
				}
			}
			if ok {
				most = max(most, weight)
			}
		}
		edges := forest.Maximum(n, list, first)
		got := 0.0
		for _, e := range edges {
			got += e.Weight
		}
		if got != most {
			t.Fatalf("weight %v of %v; want %v", got, edges, most)
		}
		for v, p := range forest.Direct(n, edges, first) {
			if len(p) == 1 && first[v] && !first[p[0]] {
				t.Errorf("%v: %d is a parent of %d", edges, p[0], v)
			}
		}
	}
}
