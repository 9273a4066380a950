package rowset_test

import (
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/rowset"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// TestWeights checks the weights of conjunctions against a loop over the rows, with and without
// weights and missing values.
func TestWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for kind := range 4 {
		var rows [][]int
		var weights []float64
		for range 150 {
			row := []int{rng.IntN(2), rng.IntN(3), rng.IntN(2)}
			if kind&1 != 0 && rng.IntN(4) == 0 {
				row[rng.IntN(3)] = data.Missing
			}
			rows = append(rows, row)
			if kind&2 != 0 {
				weights = append(weights, float64(rng.IntN(5))/4)
			}
		}
		d := rowset.New(learnertest.New(t, learnertest.Vars("a", 2, "b", 3, "c", 2), rows, weights))
		tests := []rowset.Test{{Var: 0, State: 1}, {Var: 1, State: 2, Not: true}}
		all, whole, of, known := 0.0, 0.0, 0.0, 0.0
		for i, row := range rows {
			w := 1.0
			if weights != nil {
				w = weights[i]
			}
			all += w
			if !tests[0].Holds(row) || !tests[1].Holds(row) {
				continue
			}
			whole += w
			if row[2] != data.Missing {
				known += w
			}
			if row[2] == 0 {
				of += w
			}
		}
		set := d.Where(tests)
		got, same := d.WeightKnown(set, 2)
		if same {
			got = d.Weight(set)
		}
		if d.Weight(d.All()) != all || d.Weight(set) != whole || d.WeightOf(set, 2, 0) != of || got != known {
			t.Errorf("kind %d: got %v, %v, %v, %v; want %v, %v, %v, %v", kind, d.Weight(d.All()), d.Weight(set), d.WeightOf(set, 2, 0), got, all, whole, of, known)
		}
	}
}
