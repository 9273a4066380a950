package exact_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/exact"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/score"
)

// On random rows of four variables, for every score and bound, the score is that of the best of the
// 543 structures.
func TestEnumeration(t *testing.T) {
	dags := learnertest.DAGs(4)
	if len(dags) != 543 {
		t.Fatalf("%d structures of 4 variables; want 543", len(dags))
	}
	rng := rand.New(rand.NewPCG(1, 6))
	for range 5 {
		var rows [][]int
		for range 50 {
			a, b := rng.IntN(2), rng.IntN(3)
			rows = append(rows, []int{a, b, (a + b) % 2, (a*b + rng.IntN(2)) % 3})
		}
		s := learnertest.New(t, learnertest.Vars("a", 2, "b", 3, "c", 2, "d", 3), rows, nil)
		for _, kind := range []string{"loglik", "aic", "bic", "k2", "bdeu", "loocv"} {
			for most, bound := range []string{"0", "1", "2", "3"} {
				r := learnertest.Learn(t, exact.Learner, &learner.Job{Train: s, Cores: 1}, "-score", kind, "-max-parents", bound)
				if want := best(t, s, kind, dags, most); math.Abs(r.Report.Total-want) > 1e-8 {
					t.Errorf("%s with %d parents: got %v; want %v", kind, most, r.Report.Total, want)
				}
			}
		}
	}
}

func best(t *testing.T, s *data.Set, kind string, dags [][][]int, most int) float64 {
	sc, err := score.New(kind, data.NewCounter(s, 0), score.Options{})
	if err != nil {
		t.Fatal(err)
	}
	best := math.Inf(-1)
	for _, g := range dags {
		within := true
		for _, p := range g {
			within = within && len(p) <= most
		}
		if within {
			best = max(best, sc.Network(g))
		}
	}
	return best
}

// Two causes of C, and an exclusive or, from the expected counts of 1,000 rows. The best networks
// are known from an independent enumeration. A search that adds one edge at a time does not find
// the second.
func TestKnown(t *testing.T) {
	vars := learnertest.Vars("A", 2, "B", 2, "C", 2)
	for _, c := range []struct {
		p    [4]float64 // of C by A and B
		want float64
	}{
		{[4]float64{0.1, 0.35, 0.65, 0.95}, -1861.6405},
		{[4]float64{0.1, 0.9, 0.9, 0.1}, -1732.1006},
	} {
		s := learnertest.Expected(t, vars, 1000, func(x []int) float64 {
			p := c.p[2*x[0]+x[1]]
			return 0.25 * []float64{1 - p, p}[x[2]]
		})
		r := learnertest.Learn(t, exact.Learner, &learner.Job{Train: s, Cores: 1}, "-score", "bic")
		if math.Abs(r.Report.Total-c.want) > 5e-5 {
			t.Errorf("got %.4f; want %.4f", r.Report.Total, c.want)
		}
	}
}

func TestTooMany(t *testing.T) {
	var vars []data.Var
	for i := range 21 {
		vars = append(vars, data.Var{Name: string(rune('a' + i)), States: []string{"0", "1"}})
	}
	s := learnertest.New(t, vars, [][]int{make([]int, 21)}, nil)
	learnertest.Error(t, exact.Learner, s, "the data has 21 variables; want at most 20: try hillclimb")
}
