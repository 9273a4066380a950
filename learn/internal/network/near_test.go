package network

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/score"
)

// TestNear checks that only edges to and from the best candidates may be considered, besides
// required ones.
func TestNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	vars := learnertest.Vars("a", 2, "b", 3, "c", 2, "d", 2, "e", 2, "f", 3)
	var rows [][]int
	for range 300 {
		row := make([]int, len(vars))
		for v := range row {
			row[v] = rng.IntN(len(vars[v].States))
			if u := rng.IntN(v + 1); rng.IntN(2) == 0 {
				row[v] = row[u] % len(vars[v].States)
			}
		}
		rows = append(rows, row)
	}
	s, err := score.New("bic", data.NewCounter(learnertest.New(t, vars, rows, nil), 0), score.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRules(vars, learner.Constraints{Require: "a->f", Forbid: "b->c"}, false)
	if err != nil {
		t.Fatal(err)
	}
	s = s.Barring(func(x, parent int) bool { return r.Forbidden[[2]int{parent, x}] })
	job := &learner.Job{Train: s.Counter.Set(), Cores: 2}
	for candidates := range 3 {
		bars, err := r.Near(s, candidates, job)
		if err != nil {
			t.Fatal(err)
		}
		limited := s.Barring(bars)
		best := func(x, u int) bool { // u is one of the best of x
			better := 0
			for v := range vars {
				if v != x && s.Fits(x, v) && s.Family(x, v) > s.Family(x, u) {
					better++
				}
			}
			return s.Fits(x, u) && better < candidates
		}
		for x := range vars {
			for u := range vars {
				want := candidates == 0 || best(x, u) || best(u, x) || slices.Equal([]int{0, 5}, []int{min(x, u), max(x, u)})
				if got := limited.Fits(x, u); x != u && got != (want && s.Fits(x, u)) {
					t.Errorf("%d candidates: %d as a parent of %d fits: %v; want %v", candidates, u, x, got, want)
				}
			}
		}
	}
	const want = "-1 candidate parents; want 1 or more, or 0 for all"
	if _, err := r.Near(s, -1, job); err == nil || err.Error() != want {
		t.Errorf("got %v; want %s", err, want)
	}
}
