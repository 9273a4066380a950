package bound

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestTuples adds up parts of random sums: no total exceeds the sum, none is below the value of the
// states that it begins with, and of a third of the problems the tuples with a positive part are
// all found, although buckets are smaller than an elimination needs.
func TestTuples(t *testing.T) {
	all, fixed := 0, 0
	for seed := range 40 {
		rng := rand.New(rand.NewPCG(uint64(seed), 11))
		p := random(rng, 1)
		n := newNeighbours(p, sumsFirst(rng, p), make([]int, len(p.Card)), 6)
		n.run(10, rng, func() bool { return false })
		if math.IsInf(n.value, -1) {
			continue
		}
		want, _ := enumerate(&Problem{Card: p.Card, Factors: p.Factors, Max: make([]bool, len(p.Card))})
		x := newTuples(n, rng)
		never := func() bool { return false }
		x.choose(5, never)
		chosen := x.maxTotal
		x.run(60, never)
		if chosen < n.value-1e-9 || x.maxTotal < chosen || x.total > want+1e-9 || x.maxTotal > want+1e-9 {
			t.Fatalf("seed %d: %v of the fixed variables, %v in all, total %v; the states have %v, the sum %v", seed, chosen, x.maxTotal, x.total, n.value, want)
		}
		if fixed++; x.maxTotal > want-1e-9 {
			all++
		}
	}
	if fixed < 30 || all < fixed/3 {
		t.Errorf("%d of %d sums are complete; want a third of 30 or more", all, fixed)
	}
}
