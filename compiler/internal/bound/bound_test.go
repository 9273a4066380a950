package bound

import (
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// random returns a problem over a few variables of up to three states, whose numbers are ties and
// zeros often enough to matter.
func random(rng *rand.Rand, maxima float64) *Problem {
	p := &Problem{}
	n := 4 + rng.IntN(6)
	for range n {
		p.Card = append(p.Card, 1+rng.IntN(3))
		p.Max = append(p.Max, rng.Float64() < maxima)
	}
	zeros, ties := rng.IntN(3) == 0, rng.IntN(2) == 0
	for range n + rng.IntN(2*n) {
		f := Factor{Scope: rng.Perm(n)[:rng.IntN(4)]}
		size := 1
		for _, v := range f.Scope {
			size *= p.Card[v]
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
		p.Factors = append(p.Factors, f)
	}
	return p
}

// sumsFirst returns an order that eliminates the sums first.
func sumsFirst(rng *rand.Rand, p *Problem) []int {
	order := rng.Perm(len(p.Card))
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p.Max[a] == p.Max[b]:
			return 0
		case p.Max[b]:
			return -1
		}
		return 1
	})
	return order
}

// states returns the joint states of a problem in the order of the file. Each is valid until the
// next.
func states(p *Problem) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		x := make([]int, len(p.Card))
		for yield(x) {
			i := len(x) - 1
			for ; i >= 0; i-- {
				if x[i]++; x[i] < p.Card[i] {
					break
				}
				x[i] = 0
			}
			if i < 0 {
				return
			}
		}
	}
}

// enumerate returns the value of a problem by enumeration, and the first states of the maxima in
// the order of the file that have it.
func enumerate(p *Problem) (value float64, best []int) {
	sums := map[string]float64{}
	var keys []string
	first := map[string][]int{}
	for x := range states(p) {
		key := make([]byte, len(x))
		for v := range x {
			if p.Max[v] {
				key[v] = byte(x[v])
			}
		}
		if _, ok := sums[string(key)]; !ok {
			sums[string(key)] = math.Inf(-1)
			keys = append(keys, string(key))
			first[string(key)] = slices.Clone(x)
		}
		sums[string(key)] = pgmrt.LogAdd(sums[string(key)], p.Value(x))
	}
	slices.Sort(keys)
	value = math.Inf(-1)
	for _, k := range keys {
		if best == nil || sums[k] > value+1e-9 {
			value, best = sums[k], first[k]
		}
	}
	return value, best
}

func never() bool { return false }

// TestBounds compares both bounds of random problems with enumeration, with boxes of every size and
// at each round.
func TestBounds(t *testing.T) {
	for seed := range irtest.Count(t, 200, 2000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		p := random(rng, float64(rng.IntN(3))/2)
		order := sumsFirst(rng, p)
		want, _ := enumerate(p)
		for _, limit := range []float64{2, 8, 32, 1e9} {
			tree := newTree(p, order, limit)
			tree.fill()
			up := newElimination(tree, upper)
			for range 6 {
				up.forward()
				if up.value < want-1e-9 {
					t.Fatalf("seed %d, limit %v: upper bound %v of %v", seed, limit, up.value, want)
				}
				if !tree.splits() && math.Abs(up.value-want) > 1e-9 && up.value != want {
					t.Fatalf("seed %d: %v without splits; want %v", seed, up.value, want)
				}
				up.step = 1
				up.backward()
			}
			first := up.value
			if up.improve(20, never); up.value < want-1e-9 || up.value > first+1e-9 {
				t.Fatalf("seed %d, limit %v: upper bound %v of %v after %v", seed, limit, up.value, want, first)
			}
			if slices.Contains(p.Max, true) {
				continue
			}
			low := newElimination(tree, lower)
			for range 6 {
				low.forward()
				if low.value > want+1e-9 {
					t.Fatalf("seed %d, limit %v: lower bound %v of %v", seed, limit, low.value, want)
				}
				low.step = 1
				low.backward()
			}
		}
	}
}
