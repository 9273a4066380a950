package orders_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/internal/orders"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/score"
)

// eight returns rows of eight variables that depend on each other.
func eight(t *testing.T) *data.Set {
	rng := rand.New(rand.NewPCG(5, 8))
	var rows [][]int
	for range 200 {
		a, b, c := rng.IntN(2), rng.IntN(3), rng.IntN(2)
		d := (a + b + rng.IntN(2)) % 2
		e := (b*d + rng.IntN(2)) % 3
		f := (a ^ c ^ rng.IntN(2)&rng.IntN(2))
		rows = append(rows, []int{e, d, b, f, a, c, (a + e + rng.IntN(2)) % 2, (f + d*c) % 2})
	}
	return learnertest.New(t, learnertest.Vars("a", 3, "b", 2, "c", 3, "d", 2, "e", 2, "f", 2, "g", 2, "h", 2), rows, nil)
}

// From random orders, the trees have the results of new trees, and a variable moves to the best of
// all positions at which required edges lead forward.
func TestMove(t *testing.T) {
	ctx, set := context.Background(), eight(t)
	s, err := score.New("bdeu", data.NewCounter(set, 0), score.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cache := score.NewCache(s)
	for _, require := range []string{"", "a->b,b->c,a->h"} {
		rules, err := network.NewRules(set.Vars, learner.Constraints{Require: require}, false)
		if err != nil {
			t.Fatal(err)
		}
		fresh := func(order []int) *orders.Search {
			h := orders.New(cache, rules, &learner.Job{Train: set, Cores: 1}, 4)
			h.Set(ctx, order)
			return h
		}
		h := orders.New(cache, rules, &learner.Job{Train: set, Cores: 2}, 4)
		rng := rand.New(rand.NewPCG(1, 4))
		moved := 0
		for range 40 {
			h.Set(ctx, rules.Sort(rng.Perm(8)))
			x := rng.IntN(8)
			before := slices.Clone(h.Order())
			best := h.Total()
			for i := range before {
				at := slices.Index(before, x)
				order := slices.Insert(slices.Delete(slices.Clone(before), at, at+1), i, x)
				if rules.Agree(order) == nil {
					best = max(best, fresh(order).Total())
				}
			}
			if h.Move(ctx, x) {
				moved++
			}
			now := fresh(h.Order())
			if math.Abs(h.Total()-best) > 1e-9 || math.Abs(now.Total()-best) > 1e-9 || !slices.EqualFunc(now.Parents(), h.Parents(), slices.Equal) {
				t.Fatalf("from %v, %d moves to %v with %v; new trees have %v, and the best position has %v", before, x, h.Order(), h.Total(), now.Total(), best)
			}
			if rules.Agree(h.Order()) != nil || rules.Broken(h.Parents()) {
				t.Fatalf("the order %v breaks %s", h.Order(), require)
			}
			climbed(t, cache, rules, h)
		}
		if moved < 8 {
			t.Errorf("%d moves; too few to show anything", moved)
		}
	}
}

// climbed checks that no variable gains by one parent less, and none with less than two parents by
// one more.
func climbed(t *testing.T, s *score.Cache, rules *network.Rules, h *orders.Search) {
	t.Helper()
	for i, x := range h.Order() {
		parents := h.Parents()[x]
		now := s.Family(x, parents...)
		for j, u := range parents {
			less := slices.Delete(slices.Clone(parents), j, j+1)
			if f := s.Family(x, less...); f > now+1e-9 && !rules.Required[[2]int{u, x}] {
				t.Errorf("%d has the parents %v; without %d the score is higher", x, parents, u)
			}
		}
		for _, v := range h.Order()[:i] {
			if !slices.Contains(parents, v) && len(parents) < 2 && s.Family(x, append(slices.Clone(parents), v)...) > now+1e-9 {
				t.Errorf("%d has the parents %v; with %d the score is higher", x, parents, v)
			}
		}
	}
}
