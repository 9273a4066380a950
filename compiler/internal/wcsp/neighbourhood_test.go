package wcsp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// grid returns a grid of variables with three states whose pairs have random tables, some zeros
// among them, and one joint state that is possible.
func grid(side int, rng *rand.Rand) (card []int, factors []Factor, possible []int) {
	for range side * side {
		card, possible = append(card, 3), append(possible, rng.IntN(3))
	}
	pair := func(u, v int) {
		f := Factor{Scope: []int{u, v}}
		for range 9 {
			x := 3 * rng.NormFloat64()
			if rng.IntN(6) == 0 {
				x = math.Inf(-1)
			}
			f.Log = append(f.Log, x)
		}
		f.Log[3*possible[u]+possible[v]] = 0
		factors = append(factors, f)
	}
	for v := range side * side {
		if v%side > 0 {
			pair(v-1, v)
		}
		if v >= side {
			pair(v-side, v)
		}
	}
	return card, factors, possible
}

// TestNeighbourhoods searches neighbourhoods alone: from a state that is merely possible they lead
// to the optimum, which the whole search proves. Bound and frontier stay, and so do the states that
// are left at the root, but for those that the better states rule out.
func TestNeighbourhoods(t *testing.T) {
	reached, better := 0, 0
	for seed := range uint64(20) {
		card, factors, possible := grid(7, rand.New(rand.NewPCG(seed, 7)))
		whole := New(card, factors, 1e-10, never)
		whole.Run(1<<20, never)
		if !whole.Proven() {
			t.Fatalf("seed %d: not proven", seed)
		}
		most := value(card, factors, whole.Best())

		s := New(card, factors, 1e-10, never)
		s.Start(possible)
		x := s.components[0]
		x.stop = never
		if !x.root() {
			t.Fatalf("seed %d: no states at the root that are better than possible ones", seed)
		}
		left, base, open := slices.Clone(x.size), x.lower, len(x.queue)
		for range 300 {
			x.searchNeighbourhood()
		}
		if !slices.Equal(x.size, left) || x.lower != base || len(x.queue) != open {
			t.Fatalf("seed %d: a neighbourhood changed the root or the frontier", seed)
		}
		switch got := value(card, factors, s.Best()); {
		case got > most+1e-9:
			t.Fatalf("seed %d: states with %v; the best have %v", seed, got, most)
		case got > most-1e-9:
			reached++
			better++
		case got > value(card, factors, possible)+1e-9:
			better++
		}
	}
	if reached < 15 || better < 20 {
		t.Errorf("neighbourhoods reached the optimum of %d problems of 20, and got better on %d; want 15 and 20", reached, better)
	}
}
