package score_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/score"
)

// TestCache checks that a cache returns the scores of its scorer, for any order of requests and of
// parents.
func TestCache(t *testing.T) {
	s := scorer(t, three(t, 100), "bdeu", 1)
	c := score.NewCache(s)
	for range 2 {
		for _, f := range [][]int{{0}, {1, 0}, {0, 1}, {2, 0, 1}, {2, 1, 0}, {2, 1}} {
			if got, want := c.Family(f[0], f[1:]...), s.Family(f[0], f[1:]...); got != want {
				t.Errorf("%v: got %v; want %v", f, got, want)
			}
		}
	}
}

// TestAdding checks that the scores of families with all but one parent in common are those of each
// family, bit for bit, with a cache and without, and with a cache that is cleared often.
func TestAdding(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 11))
	vars := learnertest.Vars("a", 2, "b", 3, "c", 2, "d", 4, "e", 2, "f", 3)
	for _, missing := range []bool{false, true} {
		var rows [][]int
		for range 700 {
			row := make([]int, len(vars))
			for v := range row {
				if row[v] = rng.IntN(len(vars[v].States)) * rng.IntN(2); missing && rng.IntN(20) == 0 {
					row[v] = data.Missing
				}
			}
			rows = append(rows, row)
		}
		set := learnertest.New(t, vars, rows, nil)
		for _, kind := range []string{"loglik", "aic", "bic", "k2", "bdeu", "loocv"} {
			s := scorer(t, set, kind, 10)
			small, err := score.New(kind, data.NewCounter(set, 4000), score.Options{Size: 10})
			if err != nil {
				t.Fatal(err)
			}
			caches := []*score.Cache{score.NewCache(s), score.NewCache(small)}
			for range 60 {
				order := rng.Perm(len(vars))
				k := rng.IntN(4)
				x, parents, others := order[0], order[1:1+k], order[1+k:]
				out := make([]float64, len(others))
				s.Adding(x, parents, others, out)
				for i, u := range others {
					if want := s.Family(x, append(slices.Clone(parents), u)...); out[i] != want {
						t.Fatalf("%s of %d with %v and %d: got %v; want %v", kind, x, parents, u, out[i], want)
					}
				}
				for _, c := range caches {
					got := make([]float64, len(others))
					c.Adding(x, parents, others, got)
					if family := c.Family(x, append(slices.Clone(parents), others[0])...); !slices.Equal(got, out) || family != out[0] {
						t.Fatalf("%s of %d with %v and %v: got %v and %v; want %v", kind, x, parents, others, got, family, out)
					}
				}
			}
		}
	}
}
