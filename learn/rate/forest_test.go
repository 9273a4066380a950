package rate_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// TestLogWeights compares the weights of all joint states of forest models, less ln Z, with the
// joint distribution.
func TestLogWeights(t *testing.T) {
	for seed := range uint64(20) {
		m := irtest.RandomForest(seed, 4, 3, seed%2 == 0, float64(seed%3)/4)
		j, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		z, ok := m.ForestLogSum()
		if !ok {
			t.Fatalf("seed %d: no sum over %d joint states", seed, j.Len())
		}
		for i := range j.Len() {
			state := j.State(i)
			s, err := rate.NewScorer(m, rate.ScorerOptions{Measure: rate.LogWeight})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Add(t.Context(), diag.Pos{}, state, nil, 1); err != nil {
				t.Fatal(err)
			}
			e := brute.Evidence{Hard: map[model.VarID]int{}}
			for v, k := range state {
				e.Hard[model.VarID(v)] = k
			}
			got, ok := s.LogWeights()
			_, ll := s.LL()
			want := j.LogProb(e)
			if impossible := math.IsInf(want, -1); !ok || ll || (got.Impossible > 0) != impossible || !impossible && !irtest.Near(got.Value-z, want, 1e-12) {
				t.Errorf("seed %d, %v: %+v less %v; want %v", seed, state, got, z, want)
			}
		}
	}
}

// TestLogWeightsRefused checks models and rows without a weight, and models with too many joint
// states for ln Z.
func TestLogWeightsRefused(t *testing.T) {
	if _, err := rate.NewScorer(irtest.Asia(), rate.ScorerOptions{Measure: rate.LogWeight}); err == nil || err.Error() != "found a Bayesian network; want a latent dependency forest model for the weights of rows" {
		t.Errorf("error %v", err)
	}
	real := irtest.RandomRealForest(1, []int{2, 0, 3}, false)
	for _, c := range []struct {
		m      *model.Model
		states []int
		values []float64
		err    string
	}{
		{irtest.ContextForest(), []int{0, data.Missing, 1}, nil, `this row has no value of "X2"; the weight of a joint state wants one of each variable`},
		{real, []int{1, 0, 2}, []float64{0, math.NaN(), 0}, `; the weight of a joint state wants one of each variable`},
		{real, []int{1, 0, 2}, []float64{0, .5, 0}, ""},
	} {
		s, err := rate.NewScorer(c.m, rate.ScorerOptions{Measure: rate.LogWeight})
		if err != nil {
			t.Fatal(err)
		}
		err = s.Add(t.Context(), diag.Pos{}, c.states, c.values, 1)
		if fmt.Sprint(err) != "<nil>" != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%v %v: error %v; want %q", c.states, c.values, err, c.err)
		}
		if got, _ := s.LogWeights(); c.err == "" && got.Value != c.m.ForestLogWeight(c.states, c.values) {
			t.Errorf("weight %v", got.Value)
		}
	}
	for _, m := range []*model.Model{real, irtest.RandomForest(1, 30, 3, false, 0)} {
		if z, ok := m.ForestLogSum(); ok {
			t.Errorf("ln Z %v of %d variables", z, len(m.Vars))
		}
	}
}
