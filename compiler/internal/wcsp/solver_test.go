package wcsp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
)

func never() bool { return false }

// random returns a problem over a few variables of up to four states, with zeros and ties often
// enough to matter.
func random(rng *rand.Rand) (card []int, factors []Factor) {
	n := 3 + rng.IntN(7)
	for range n {
		card = append(card, 1+rng.IntN(4-n/8))
	}
	zeros, ties := rng.IntN(2) == 0, rng.IntN(2) == 0
	for range n/2 + rng.IntN(3*n) {
		f := Factor{Scope: rng.Perm(n)[:rng.IntN(4)]}
		size := 1
		for _, v := range f.Scope {
			size *= card[v]
		}
		for range size {
			x := math.Log(.05 + rng.Float64())
			if ties {
				x = math.Log(float64(1 + rng.IntN(2)))
			}
			if zeros && rng.IntN(5) == 0 {
				x = math.Inf(-1)
			}
			f.Log = append(f.Log, x)
		}
		factors = append(factors, f)
	}
	return card, factors
}

// value returns the logarithm of the product of factors.
func value(card []int, factors []Factor, x []int) (sum float64) {
	for i := range factors {
		sum += factors[i].At(card, x)
	}
	return sum
}

// next turns x into the next joint state in the order of the variables; false after the last.
func next(card, x []int) bool {
	for v := len(card) - 1; v >= 0; v-- {
		if x[v]++; x[v] < card[v] {
			return true
		}
		x[v] = 0
	}
	return false
}

// enumerate returns the first of the best joint states, and its value.
func enumerate(card []int, factors []Factor) (best []int, most float64) {
	x := make([]int, len(card))
	most = math.Inf(-1)
	for ok := true; ok; ok = next(card, x) {
		if y := value(card, factors, x); y > most+1e-9 {
			best, most = slices.Clone(x), y
		}
	}
	return best, most
}

// TestSolver compares the best states of random problems with enumeration: they are the first of
// the best in the order of the variables, with and without a start and limited discrepancies, in
// one run and in many short ones, whose bounds hold.
func TestSolver(t *testing.T) {
	branched, impossible := 0, 0
	for _, seed := range irtest.Cases(t, 50, 1000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		card, factors := random(rng)
		want, most := enumerate(card, factors)
		s := New(card, factors, 1e-10, never)
		s.Discrepancies(int(seed % 3))
		if rng.IntN(2) == 0 {
			start := make([]int, len(card))
			for v := range start {
				start[v] = rng.IntN(card[v])
			}
			s.Start(start)
		}
		for turns := 0; !s.Done(); turns++ {
			if b := s.Bound(); b < most-1e-9 {
				t.Fatalf("seed %d: a bound of %v; the best has %v", seed, b, most)
			}
			if s.Run(1<<(turns/4), never); turns > 1000 {
				t.Fatalf("seed %d: no end", seed)
			}
		}
		if s.Nodes() > 5 {
			branched++
		}
		if want == nil {
			if impossible++; !s.Impossible() {
				t.Fatalf("seed %d: states %v of an impossible problem", seed, s.Best())
			}
			continue
		}
		if got := s.Best(); !slices.Equal(got, want) {
			t.Fatalf("seed %d: states %v with %v; want %v with %v", seed, got, value(card, factors, got), want, most)
		}
		if b := s.Bound(); b < most-1e-9 || b > most+1e-6 {
			t.Fatalf("seed %d: a bound of %v at the end; the best has %v", seed, b, most)
		}
	}
	if branched < 5 || impossible < 2 {
		t.Errorf("%d searches branched, and %d problems were impossible; want 5 and 2", branched, impossible)
	}
}
