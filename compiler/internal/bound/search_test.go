package bound

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestSearch compares searches of random problems, with zeros, ties, sums and boxes of every size,
// with enumeration: the states are the first of the best in the order of the file, without a start
// and from random states, with few entries in the memo, and with tasks of every size on any number
// of cores.
func TestSearch(t *testing.T) {
	split := 0
	for seed := range irtest.Count(t, 50, 1000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 2))
		p := random(rng, []float64{1, 1, .5, 0}[rng.IntN(4)])
		order := sumsFirst(rng, p)
		want, best := enumerate(p)
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
			s := newSearch(context.Background(), newPseudo(tree), e, Limits{Entries: 1 + rng.IntN(40)})
			short := rng.IntN(2) == 0
			if short {
				shorten(s)
			}
			got := s.run(start)
			if !got.Proven || math.Abs(got.Value-want) > 1e-9 && got.Value != want || got.Bound > got.Value+1e-9 {
				t.Fatalf("seed %d, limit %v: %+v; want %v", seed, limit, got, want)
			}
			for v, k := range got.States {
				if p.Max[v] && k != best[v] && !math.IsInf(want, -1) {
					t.Fatalf("seed %d, limit %v, short %v: the states are %v; want the first, %v", seed, limit, short, got.States, best)
				}
			}
			for _, c := range s.parts {
				split += c.tasks - 1
			}
		}
	}
	if split < 100 {
		t.Errorf("tasks were split into %d; want 100", split)
	}
}

// shorten makes the first attempts of a search end early.
func shorten(s *search) {
	s.taskNodes = 1
	for _, c := range s.parts {
		for _, t := range c.queue {
			t.nodeLimit = 1
		}
	}
}

// TestSearchCores repeats searches with limits on one core and on several: all but the time is the
// same.
func TestSearchCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, seed := range irtest.Cases(t, 20, 200) {
		var before Incumbent
		for _, cores := range []int{1, 3, 8} {
			runtime.GOMAXPROCS(cores)
			rng := rand.New(rand.NewPCG(seed, 8))
			p := random(rng, 1)
			tree := newTree(p, sumsFirst(rng, p), 2)
			tree.fill()
			s := newSearch(context.Background(), newPseudo(tree), newElimination(tree, upper), Limits{Nodes: 1 + rng.IntN(60), Keep: 1 + rng.IntN(3)})
			s.e.forward()
			shorten(s)
			s.localSearch = &improvement{neighbours: newNeighbours(p, tree.order, make([]int, len(p.Card)), 4), rng: rng}
			now := s.run(nil)
			if cores > 1 && !reflect.DeepEqual(now, before) {
				t.Fatalf("seed %d: %+v with %d cores; %+v with fewer", seed, now, cores, before)
			}
			before = now
		}
	}
}

// TestSeveral compares the best states of random problems with ties with enumeration: their values,
// and their order.
func TestSeveral(t *testing.T) {
	for seed := range irtest.Count(t, 40, 600) {
		rng := rand.New(rand.NewPCG(uint64(seed), 9))
		p := random(rng, 1)
		keep := 2 + rng.IntN(12)
		want := ranked(p, keep)
		for _, limit := range []float64{2, 8, 1e9} {
			tree := newTree(p, rng.Perm(len(p.Card)), limit)
			tree.fill()
			e := newElimination(tree, upper)
			e.improve(rng.IntN(3), never)
			s := newSearch(context.Background(), newPseudo(tree), e, Limits{Keep: keep, Entries: 1 + rng.IntN(100)})
			if rng.IntN(2) == 0 {
				shorten(s)
			}
			got := s.run(nil)
			list := append([]Assignment{{got.States, got.Value}}, got.More...)
			if len(want) == 0 {
				if !math.IsInf(got.Value, -1) || got.More != nil {
					t.Fatalf("seed %d: %+v of an impossible problem", seed, got)
				}
				continue
			}
			if !got.Proven || len(list) != len(want) {
				t.Fatalf("seed %d, limit %v: %+v; want %d states", seed, limit, got, len(want))
			}
			for i, x := range list {
				if math.Abs(x.Value-want[i].Value) > 1e-9 || !slices.Equal(x.States, want[i].States) {
					t.Fatalf("seed %d, limit %v: number %d is %+v; want %+v", seed, limit, i, x, want[i])
				}
			}
		}
	}
}

// ranked returns the best possible states of a problem of maxima by enumeration, and of equal ones
// the first in the order of the file.
func ranked(p *Problem, most int) (list []Assignment) {
	for x := range states(p) {
		if value := p.Value(x); !math.IsInf(value, -1) {
			list = append(list, Assignment{slices.Clone(x), math.Round(value*1e9) / 1e9})
		}
	}
	slices.SortStableFunc(list, func(a, b Assignment) int { return cmp.Compare(b.Value, a.Value) })
	return list[:min(most, len(list))]
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
			got := newSearch(context.Background(), newPseudo(tree), e, Limits{Nodes: nodes}).run(start)
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

// TestGuess compares what is found in place of a search with enumeration: the states are possible,
// their value is at least what is said and, if no bucket is split, no more. Local search sees no
// possible state of number 519.
func TestGuess(t *testing.T) {
	exact, mixed := 0, 0
	for seed := range irtest.Count(t, 600, 1000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 10))
		p := random(rng, .5)
		for _, limit := range []float64{2, 8, 1e9} {
			tree := newTree(p, sumsFirst(rng, p), limit)
			tree.fill()
			splits := tree.splits()
			a := newQuery(context.Background(), Options{Seed: uint64(seed)})
			got := a.guess(tree, make([]int, len(p.Card)))
			if got == nil {
				if want, _ := enumerate(p); !math.IsInf(want, -1) {
					t.Fatalf("seed %d, limit %v: no states of a possible problem", seed, limit)
				}
				continue
			}
			want := given(p, got.States)
			if math.IsInf(want, -1) || got.Value > want+1e-12 || got.Value < p.Value(got.States)-1e-9 {
				t.Fatalf("seed %d, limit %v: %+v; want at most %v", seed, limit, got, want)
			}
			if splits {
				mixed++
				continue
			}
			exact++
			if got.Value < want-1e-9 {
				t.Fatalf("seed %d, limit %v: %+v; want %v, since no bucket is split", seed, limit, got, want)
			}
		}
	}
	if exact < 50 || mixed < 20 {
		t.Errorf("%d without and %d with split buckets; want 50 and 20", exact, mixed)
	}
}
