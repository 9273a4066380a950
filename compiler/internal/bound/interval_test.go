package bound

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
)

// bounded returns eliminations of a random problem that sums all variables out, and ln Z.
func bounded(t *testing.T, seed uint64, limit float64) (up, down *elimination, want float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 4))
	p := random(rng, 0)
	want, _ = enumerate(p)
	tree := newTree(p, sumsFirst(rng, p), limit)
	tree.fill()
	up, down = newElimination(tree, upper), newElimination(tree, lower)
	up.improve(10, never)
	down.improve(10, never)
	return up, down, want
}

// TestRefine stops the search for an interval after every number of nodes: it holds ln Z, never
// widens, and ends with both bounds equal.
func TestRefine(t *testing.T) {
	open := 0
	for seed := range irtest.Count(t, 60, 600) {
		up, down, want := bounded(t, uint64(seed), 2)
		s := newPseudo(up.tree)
		before := Interval{Lower: math.Inf(-1), Upper: math.Inf(1)}
		for nodes := 1; nodes < 400; nodes += 1 + nodes/2 {
			got := newRefiner(s, up, down).run(context.Background(), nodes)
			if got.Lower > want || got.Upper < want {
				t.Fatalf("seed %d, %d nodes: %+v does not hold %v", seed, nodes, got, want)
			}
			if got.Upper > before.Upper+1e-9 {
				t.Fatalf("seed %d: the upper bound rose from %v to %v", seed, before.Upper, got.Upper)
			}
			if !got.Exact {
				open++
			}
			before = got
		}
		got := newRefiner(s, up, down).run(context.Background(), math.MaxInt)
		if !got.Exact || got.Upper-got.Lower > 1e-9 {
			t.Fatalf("seed %d: %+v at the end; want exactly %v", seed, got, want)
		}
	}
	if open < 100 {
		t.Errorf("%d searches ended early; want 100", open)
	}
}

// TestSamples draws from random problems: each weight is at most the bound, the weights agree with
// the probabilities of the draws, and intervals of level 0.9 hold ln Z at least that often, less
// three standard errors.
func TestSamples(t *testing.T) {
	const level = .9
	runs, held, narrow := irtest.Count(t, 40, 200), 0, 0
	for seed := range runs {
		up, _, want := bounded(t, uint64(seed), 2)
		if math.IsInf(want, -1) {
			held++
			continue
		}
		s := newSampler(up)
		rng := rand.New(rand.NewPCG(uint64(seed), 5))
		for range 200 {
			if w := s.draw(rng); w > up.value+1e-9 {
				t.Fatalf("seed %d: a weight of %v; the bound is %v", seed, w, up.value)
			}
		}
		got := s.run(2000, level, rng, never)
		if got.Lower <= want && want <= got.Upper {
			held++
		}
		if got.Upper-got.Lower < 1 {
			narrow++
		}
		if math.Abs(got.Log-want) > .5 {
			t.Errorf("seed %d: estimate %v of %v", seed, got.Log, want)
		}
	}
	n := float64(runs)
	if float64(held) < n*level-3*math.Sqrt(n*level*(1-level)) || narrow < runs/2 {
		t.Errorf("%d of %d intervals hold, %d are narrow", held, runs, narrow)
	}
}

// TestClimb compares the recorded values of a local search with those of their states, and its
// scores with a computation from scratch.
func TestClimb(t *testing.T) {
	best := 0
	for seed := range 40 {
		rng := rand.New(rand.NewPCG(uint64(seed), 6))
		p := random(rng, 1)
		want, _ := enumerate(p)
		c := newClimber(p, make([]int, len(p.Card)))
		c.run(60, rng, never)
		if c.best != p.Value(c.states) || c.best > want+1e-9 {
			t.Fatalf("seed %d: %v; the states have %v, the best %v", seed, c.best, p.Value(c.states), want)
		}
		if fresh := newClimber(p, c.state); math.Abs(fresh.value-c.value) > 1e-9 || !slices.EqualFunc(fresh.score, c.score, near) {
			t.Fatalf("seed %d: the scores %v should be %v", seed, c.score, fresh.score)
		}
		if c.best == want || c.best > want-1e-9 {
			best++
		}
	}
	if best < 30 {
		t.Errorf("%d of 40 found the best; want 30", best)
	}
}

// TestNeighbours re-optimises many variables at a time: values are those of the states and never
// fall, and the best is found of most problems, although buckets are smaller than it needs.
func TestNeighbours(t *testing.T) {
	best := 0
	for seed := range 40 {
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		p := random(rng, 1)
		want, _ := enumerate(p)
		n := newNeighbours(p, sumsFirst(rng, p), make([]int, len(p.Card)), 6)
		for range 30 {
			before := n.value
			n.round(rng)
			if n.value < before || n.value != p.Value(n.state) || n.value > want+1e-9 {
				t.Fatalf("seed %d: %v after %v; the states have %v, the best %v", seed, n.value, before, p.Value(n.state), want)
			}
		}
		if n.value > want-1e-9 || n.value == want {
			best++
		}
	}
	if best < 30 {
		t.Errorf("%d of 40 found the best; want 30", best)
	}
}

func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-9 })
}
