package hillclimb

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Koller and Friedman, propositions 18.5 and 18.6: along a random walk, all stored differences are
// those of a search that begins there, and each legal move has the predicted gain. The walk never
// makes a cycle.
func TestDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	var vars []data.Var
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		vars = append(vars, data.Var{Name: name, States: []string{"0", "1", "2"}[:2+rng.IntN(2)]})
	}
	var rows [][]int
	for range 80 {
		var row []int
		for _, v := range vars {
			row = append(row, rng.IntN(len(v.States)))
		}
		rows = append(rows, row)
	}
	set, err := data.New(vars, rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := score.New("bdeu", data.NewCounter(set, 0), score.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, job := &Options{MaxParents: 3}, &learner.Job{Train: set}
	r, err := network.NewRules(vars, learner.Constraints{}, false)
	if err != nil {
		t.Fatal(err)
	}
	h := newSearch(s, len(vars), l, r, job)
	h.begin(t.Context(), make([][]int, len(vars)))
	done := map[kind]int{}
	for range 300 {
		best := score.Best[move]{Over: math.Inf(-1)}
		h.try(rng.IntN(h.n), rng.IntN(h.n), graph.Ancestors(h.parents), &best)
		m, gain, ok := best.First()
		if !ok {
			continue
		}
		before := s.Network(h.parents)
		h.apply(t.Context(), m)
		done[m.kind]++
		if after := s.Network(h.parents); math.Abs(after-before-gain) > 1e-9 {
			t.Fatalf("move %v brings %v; want %v", m, after-before, gain)
		}
		for v := range h.n {
			if graph.Ancestors(h.parents).Has(v, v) {
				t.Fatalf("move %v makes a cycle", m)
			}
		}
		fresh := newSearch(s, len(vars), l, r, job)
		fresh.begin(t.Context(), h.parents)
		for y := range h.n {
			for x := range h.n {
				if a, b := h.delta[y][x], fresh.delta[y][x]; a != b && !(math.Abs(a-b) <= 1e-9) {
					t.Fatalf("after %v the difference of %d and %d is %v; want %v", m, y, x, a, b)
				}
			}
		}
	}
	for k := add; k <= reverse; k++ {
		if done[k] == 0 {
			t.Errorf("the walk has no move of kind %d", k)
		}
	}
}

func TestNoise(t *testing.T) {
	for _, variance := range []float64{0.01, 0.5, 1, 3} {
		n := noiseOf(variance, nil)
		if math.Abs(n.Mean()-1) > 1e-15 || math.Abs(n.Variance()/variance-1) > 1e-14 {
			t.Errorf("mean %v, variance %v; want 1, %v", n.Mean(), n.Variance(), variance)
		}
	}
}
