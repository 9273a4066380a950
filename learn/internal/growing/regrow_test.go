package growing_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/learn/internal/growing"
)

// features holds the conjunctions of a circuit that grows by splits of features.
type features struct {
	c    *growing.Circuit
	p    *growing.Planner
	list [][]test
}

func newFeatures(cards []int) *features {
	f := &features{c: growing.New(cards)}
	f.p = f.c.Planner()
	for _, r := range marginals(cards, true) {
		f.list = append(f.list, r.tests)
	}
	return f
}

func (f *features) split(x growing.Step) growing.Split {
	return growing.Split{Params: []int32{x.Of}, Var: x.Var, State: x.State, Keep: true}
}

func (f *features) apply(x growing.Step) {
	f.p.Apply(f.split(x))
	for _, not := range []bool{false, true} {
		f.list = append(f.list, append(slices.Clip(f.list[x.Of]), test{x.Var, x.State, not}))
	}
}

// TestRegrow checks that a restart makes the features of the best search again, under new numbers,
// except a few and those that depend on them; the number of the search determines which. Splits
// beyond the bound on edges are left out.
func TestRegrow(t *testing.T) {
	cards := []int{2, 3, 2, 2, 3, 2, 2, 2}
	first := newFeatures(cards)
	things := len(first.list)
	rng := rand.New(rand.NewPCG(1, 2))
	var best growing.Best
	for len(best.Steps) < 120 {
		x := growing.Step{Of: int32(rng.IntN(len(first.list))), Var: rng.IntN(len(cards))}
		x.State = rng.IntN(cards[x.Var])
		if !slices.ContainsFunc(first.list[x.Of], func(y test) bool { return y.v == x.Var }) {
			first.apply(x)
			best.Steps = append(best.Steps, x)
		}
	}
	different := map[int]bool{}
	for search := range 20 {
		again := newFeatures(cards)
		number := again.p.Regrow(&best, 3, search, things, 1<<20, again.split, again.apply)
		same := newFeatures(cards)
		if !slices.Equal(number, same.p.Regrow(&best, 3, search, things, 1<<20, same.split, same.apply)) {
			t.Fatalf("search %d is not the same twice", search)
		}
		renumbered(t, first, again, &best, number)
		different[len(again.list)] = true
		if len(again.list) < len(first.list)/2 {
			t.Errorf("search %d has %d of %d features", search, len(again.list), len(first.list))
		}
		tight := newFeatures(cards)
		most := again.c.Edges() / 2
		tight.p.Regrow(&best, 3, search, things, most, tight.split, tight.apply)
		if n := tight.c.Edges(); n > most || n < most/2 {
			t.Errorf("search %d has %d edges; want at most %d, and not much less", search, n, most)
		}
	}
	if len(different) < 4 {
		t.Errorf("only %d different numbers of features", len(different))
	}
}

// renumbered checks the new numbers of features.
func renumbered(t *testing.T, first, again *features, best *growing.Best, number []int32) {
	t.Helper()
	if len(number) != len(first.list) {
		t.Fatalf("%d numbers; want %d", len(number), len(first.list))
	}
	left := 0
	for old, now := range number {
		if now < 0 {
			continue
		}
		left++
		if !slices.Equal(first.list[old], again.list[now]) {
			t.Fatalf("feature %d is %v, and was %v", now, again.list[now], first.list[old])
		}
	}
	if left != len(again.list) {
		t.Errorf("%d features have numbers; want %d", left, len(again.list))
	}
	things := len(number) - 2*len(best.Steps)
	for i, x := range best.Steps {
		if number[x.Of] < 0 && number[things+2*i] >= 0 {
			t.Fatalf("split %d is there, and what it splits is not", i)
		}
	}
}
