package order

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/exact"
	"github.com/pgmc-go/pgmc/learn/internal/parentsets"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/score"
)

// six returns rows of six variables that depend on each other.
func six(t *testing.T, seed uint64) *data.Set {
	rng := rand.New(rand.NewPCG(seed, 6))
	var rows [][]int
	for range 150 {
		a, b := rng.IntN(2), rng.IntN(3)
		c := (a + b + rng.IntN(2)) % 2
		d := (b*c + rng.IntN(2)) % 3
		rows = append(rows, []int{d, c, b, (c ^ rng.IntN(2)&rng.IntN(2)), a, (a + d + rng.IntN(2)) % 2})
	}
	return learnertest.New(t, learnertest.Vars("a", 3, "b", 2, "c", 3, "d", 2, "e", 2, "f", 2), rows, nil)
}

// The search finds the score of the exact learner.
func TestExact(t *testing.T) {
	for seed := range uint64(5) {
		s := six(t, seed)
		for _, kind := range []string{"bic", "bdeu", "k2"} {
			for _, bound := range []string{"1", "2", "3"} {
				job := &learner.Job{Train: s, Cores: 2}
				want := learnertest.Learn(t, exact.Learner, job, "-score", kind, "-max-parents", bound).Report.Total
				if got := learnertest.Learn(t, Learner, job, "-score", kind, "-max-parents", bound).Report.Total; math.Abs(got-want) > 1e-8 {
					t.Errorf("seed %d, %s with %s parents: got %v; want %v", seed, kind, bound, got, want)
				}
			}
		}
	}
}

// Exercise 18.26: along random swaps, each has the stored gain, changes the families of the two
// variables alone, and leaves the state of a search that begins there.
func TestSwaps(t *testing.T) {
	sc, err := score.New("bdeu", data.NewCounter(six(t, 1), 0), score.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lists, err := parentsets.All(context.Background(), sc, parentsets.Options{MaxParents: 3}, 1)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(2, 2))
	s := newState(lists, rng.Perm(6))
	for range 200 {
		i := rng.IntN(5)
		family, total, gain, pair := slices.Clone(s.family), s.total, s.delta[i], s.pair(i)
		s.swap(i)
		if math.Abs(s.total-total-gain) > 1e-9 {
			t.Fatalf("swap %d brings %v; want %v", i, s.total-total, gain)
		}
		for x := range 6 {
			if x != pair[0] && x != pair[1] && s.family[x] != family[x] {
				t.Fatalf("swap of %v changes the family of %d", pair, x)
			}
		}
		fresh := newState(lists, append([]int(nil), s.order...))
		if math.Abs(fresh.total-s.total) > 1e-9 {
			t.Fatalf("order %v has %v; want %v", s.order, s.total, fresh.total)
		}
		for k := range fresh.delta {
			if math.Abs(fresh.delta[k]-s.delta[k]) > 1e-9 {
				t.Fatalf("after swap %d, swap %d is kept as %v; want %v", i, k, s.delta[k], fresh.delta[k])
			}
		}
	}
}

// The chosen move is the best of all moves of one variable, and has the predicted gain.
func TestFurthest(t *testing.T) {
	sc, err := score.New("bic", data.NewCounter(six(t, 2), 0), score.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lists, err := parentsets.All(context.Background(), sc, parentsets.Options{MaxParents: 3}, 1)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 1))
	far := 0
	for range 50 {
		s := newState(lists, rng.Perm(6))
		want := 0.0
		moved := func(i, j int) []int {
			order := slices.Clone(s.order)
			return slices.Insert(slices.Delete(order, i, i+1), j, s.order[i])
		}
		for i := range 6 {
			for j := range 6 {
				want = max(want, newState(lists, moved(i, j)).total-s.total)
			}
		}
		from, to, gain := s.furthest()
		if got := newState(lists, moved(from, to)).total - s.total; math.Abs(gain-want) > 1e-9 || math.Abs(got-gain) > 1e-9 {
			t.Fatalf("%v: the move from %d to %d brings %v, and is said to bring %v; want %v", s.order, from, to, got, gain, want)
		}
		if max(from-to, to-from) > 1 {
			far++
		}
	}
	if far < 10 {
		t.Errorf("%d moves of more than one place; too few to show anything", far)
	}
}

// The diamond in which hill climbing and GES stop early, from the expected counts of 4,000 rows:
// the search over orders does not. The score was computed independently, by enumeration. It also
// finds an exclusive or, because it scores parent sets as a whole.
func TestEscapes(t *testing.T) {
	diamond := learnertest.Expected(t, learnertest.Vars("A", 4, "B", 2, "C", 2, "D", 2), 4000, func(x []int) float64 {
		flip := []float64{0.9, 0.1}
		d := []float64{0.1, 0.5, 0.5, 0.9}[2*x[1]+x[2]]
		return 0.25 * flip[x[0]>>1^x[1]] * flip[x[0]&1^x[2]] * []float64{1 - d, d}[x[3]]
	})
	xor := learnertest.Expected(t, learnertest.Vars("A", 2, "B", 2, "C", 2), 1000, func(x []int) float64 {
		return 0.25 * []float64{0.9, 0.1}[x[0]^x[1]^x[2]]
	})
	for _, c := range []struct {
		set   *data.Set
		total float64
	}{{diamond, -10244.5069}, {xor, -1732.1006}} {
		if r := learnertest.Learn(t, Learner, &learner.Job{Train: c.set, Cores: 1}, "-score", "bic"); math.Abs(r.Report.Total-c.total) > 5e-5 {
			t.Errorf("got %.4f with %s; want %.4f", r.Report.Total, learnertest.Parents(r), c.total)
		}
	}
	learnertest.Error(t, Learner, xor, "tabu -1, patience 50, restarts 10; want numbers from 0", "-tabu", "-1")
	learnertest.Error(t, Learner, xor, "-2 candidate parents; want 1 or more, or 0 for all", "-candidates", "-2")
}
