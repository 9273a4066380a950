package parentsets_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/parentsets"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/score"
)

func scorer(t *testing.T) *score.Scorer {
	rng := rand.New(rand.NewPCG(3, 3))
	var rows [][]int
	for range 200 {
		a, b, c := rng.IntN(2), rng.IntN(3), rng.IntN(2)
		rows = append(rows, []int{a, b, c, (a + b + rng.IntN(2)) % 2, (b + c) % 3})
	}
	s := learnertest.New(t, learnertest.Vars("a", 2, "b", 3, "c", 2, "d", 2, "e", 3), rows, nil)
	sc, err := score.New("bdeu", data.NewCounter(s, 0), score.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

func all(t *testing.T, s *score.Scorer, o parentsets.Options) [][]parentsets.Set {
	t.Helper()
	lists, err := parentsets.All(context.Background(), s, o, 2)
	if err != nil {
		t.Fatal(err)
	}
	return lists
}

// TestBest checks that for all predecessors of each variable, the first kept set within them is the
// best of all sets within them, and that more predecessors never lower the score.
func TestBest(t *testing.T) {
	s := scorer(t)
	lists := all(t, s, parentsets.Options{MaxParents: 3, Slack: math.Inf(1)})
	best, some := all(t, s, parentsets.Options{MaxParents: 3}), all(t, s, parentsets.Options{MaxParents: 3, Slack: 5})
	var sizes [3]int
	for x, list := range lists {
		if len(list) != 1+4+6+4 {
			t.Errorf("%d sets for %d; want 15", len(list), x)
		}
		kept := best[x]
		for i, l := range [][]parentsets.Set{kept, some[x], list} {
			sizes[i] += len(l)
		}
		for _, set := range list {
			listed := slices.ContainsFunc(some[x], func(o parentsets.Set) bool { return slices.Equal(o.Parents, set.Parents) })
			if below := slices.ContainsFunc(list, func(o parentsets.Set) bool { return o.In.Within(set.In) && o.Score >= set.Score+5 }); listed == below {
				t.Errorf("%v of %d is listed: %v; a subset has 5 more: %v", set.Parents, x, listed, below)
			}
		}
		most := make([]float64, 1<<5)
		for before := range 1 << 5 {
			in := graph.NewSet(5)
			in[0] = uint64(before)
			want := math.Inf(-1)
			for _, set := range list {
				if set.In.Within(in) {
					want = max(want, s.Family(x, set.Parents...))
				}
			}
			most[before] = parentsets.First(kept, in).Score
			if math.Abs(most[before]-want) > 1e-9 {
				t.Errorf("%d with %b before it: got %v; want %v", x, before, most[before], want)
			}
			for u := range 5 {
				if less := before &^ (1 << u); most[less] > most[before]+1e-9 {
					t.Errorf("%d: %v with %b before it, but %v with %b", x, most[less], less, most[before], before)
				}
			}
		}
	}
	if sizes[0] >= sizes[1] || sizes[1] >= sizes[2] {
		t.Errorf("%d sets, %d with slack and %d in all: the test shows nothing", sizes[0], sizes[1], sizes[2])
	}
}

// TestCandidates checks that candidates are the variables with the best single-parent families.
func TestCandidates(t *testing.T) {
	s := scorer(t)
	lists := all(t, s, parentsets.Options{MaxParents: 2, Candidates: 2, Slack: math.Inf(1)})
	for x, list := range lists {
		var others []int
		for u := range 5 {
			if u != x {
				others = append(others, u)
			}
		}
		slices.SortFunc(others, func(a, b int) int {
			if s.Family(x, a) > s.Family(x, b) {
				return -1
			}
			return 1
		})
		want := slices.Sorted(slices.Values(others[:2]))
		if len(list) != 4 || !slices.ContainsFunc(list, func(o parentsets.Set) bool { return slices.Equal(o.Parents, want) }) {
			t.Errorf("%d has %v; want %v", x, list, want)
		}
	}
	for _, c := range []struct {
		n    int
		opt  parentsets.Options
		want string
	}{
		{1000, parentsets.Options{MaxParents: 3}, "1000 variables with up to 3 parents from 999 have 1.66e+11 families; want at most 1e+07: fewer candidates or fewer parents"},
		{10, parentsets.Options{MaxParents: 3}, ""},
		{10, parentsets.Options{Candidates: -1}, "-1 candidate parents; want 1 or more, or 0 for all"},
	} {
		err := c.opt.Check(c.n)
		if got := text(err); got != c.want {
			t.Errorf("%d, %+v: got %q; want %q", c.n, c.opt, got, c.want)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
