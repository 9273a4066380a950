package bound

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestBranch compares searches of random problems, with zeros, ties, sums and boxes of every size,
// with enumeration: without a start, from random states, and with few entries in the memo.
func TestBranch(t *testing.T) {
	for seed := range irtest.Count(t, 50, 1000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 2))
		p := random(rng, []float64{1, 1, .5, 0}[rng.IntN(4)])
		order := sumsFirst(rng, p)
		want, _ := enumerate(p)
		for _, limit := range []float64{2, 8, 1e9} {
			tree := newTree(p, order, limit)
			tree.fill()
			e := newElimination(tree, upper)
			e.improve(rng.IntN(5), never)
			var start []int
			if rng.IntN(2) == 0 {
				start = make([]int, len(p.Card))
				for v := range start {
					start[v] = rng.IntN(p.Card[v])
				}
			}
			b := newBranch(context.Background(), newPseudo(tree), e, Limits{Entries: 1 + rng.IntN(40)})
			got := b.run(start)
			if !got.Proven || math.Abs(got.Value-want) > 1e-9 && got.Value != want || got.Bound != got.Value {
				t.Fatalf("seed %d, limit %v: %+v; want %v", seed, limit, got, want)
			}
			if x := given(p, got.States); math.Abs(x-want) > 1e-9 && x != want {
				t.Fatalf("seed %d, limit %v: the states %v have value %v; want %v", seed, limit, got.States, x, want)
			}
		}
	}
}

// given returns the value of p with the maximised variables at given states.
func given(p *Problem, states []int) float64 {
	q := &Problem{Card: p.Card, Factors: p.Factors, Max: make([]bool, len(p.Card))}
	for v, max := range p.Max {
		if max {
			f := Factor{Scope: []int{v}, Log: make([]float64, p.Card[v])}
			for k := range f.Log {
				if k != states[v] {
					f.Log[k] = math.Inf(-1)
				}
			}
			q.Factors = append(q.Factors[:len(q.Factors):len(q.Factors)], f)
		}
	}
	x, _ := enumerate(q)
	return x
}

// TestBranchStops ends searches after every number of nodes: the states have the value that is
// said, and the bound holds.
func TestBranchStops(t *testing.T) {
	stopped := 0
	for seed := range irtest.Count(t, 30, 300) {
		rng := rand.New(rand.NewPCG(uint64(seed), 3))
		p := random(rng, []float64{1, .5}[rng.IntN(2)])
		want, _ := enumerate(p)
		tree := newTree(p, sumsFirst(rng, p), 2)
		tree.fill()
		e := newElimination(tree, upper)
		e.improve(2, never)
		for nodes := 1; nodes < 40; nodes += 3 {
			start := make([]int, len(p.Card))
			got := newBranch(context.Background(), newPseudo(tree), e, Limits{Nodes: nodes}).run(start)
			if got.Bound < want-1e-9 || got.Value > want+1e-9 || got.Proven && got.Value < want-1e-9 {
				t.Fatalf("seed %d, %d nodes: %+v; want %v", seed, nodes, got, want)
			}
			if x := given(p, got.States); math.Abs(x-got.Value) > 1e-9 && !math.IsInf(got.Value, -1) {
				t.Fatalf("seed %d, %d nodes: the states have value %v, not %v", seed, nodes, x, got.Value)
			}
			if !got.Proven {
				stopped++
			}
		}
	}
	if stopped < 50 {
		t.Errorf("%d searches stopped early; want 50", stopped)
	}
}
