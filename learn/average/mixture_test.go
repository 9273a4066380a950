package average

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/model"
)

// randomNetwork returns a network over n variables in a random order, each with some of the earlier
// ones as parents. dist makes the CPD of a variable with the given parents.
func randomNetwork(rng *rand.Rand, m *model.Model, dist func(parents []model.VarID, x model.VarID) model.Dist) *model.Model {
	order := rng.Perm(len(m.Vars))
	for i, x := range order {
		var scope []model.VarID
		for _, u := range order[:i] {
			if rng.IntN(2) == 0 {
				scope = append(scope, model.VarID(u))
			}
		}
		d := dist(scope, model.VarID(x))
		m.Factors = append(m.Factors, &model.Factor{Scope: append(scope, model.VarID(x)), Child: len(scope), Dist: d})
	}
	return m
}

// The circuit of a mixture of tables has at each joint state the weighted sum of the products of
// the CPTs, also with a variable of one state, and sums over missing variables.
func TestMixedTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	cards := []int{2, 3, 1, 2, 2}
	for range 30 {
		var networks []*model.Model
		for range 3 {
			m := &model.Model{}
			for v, n := range cards {
				m.NewVar(fmt.Sprint("v", v), []string{"0", "1", "2"}[:n]...)
			}
			networks = append(networks, randomNetwork(rng, m, func(parents []model.VarID, x model.VarID) model.Dist {
				d := &model.Table{}
				rows := 1
				for _, u := range parents {
					rows *= cards[u]
				}
				for range rows {
					row, sum := make([]float64, cards[x]), 0.0
					for k := range row {
						row[k] = rng.Float64()
						sum += row[k]
					}
					for _, p := range row {
						d.Values = append(d.Values, p/sum)
					}
				}
				return d
			}))
		}
		weights := []float64{.2, .3, .5}
		m, err := mixture(networks, weights)
		if err != nil {
			t.Fatal(err)
		}
		if list := m.Check(); list.HasErrors() {
			t.Fatal(list.Err())
		}
		value := func(states []int) float64 { // -1: not observed
			return m.Factors[0].Circuit().Eval(func(axis int, state int32) float64 {
				if states[axis] >= 0 && states[axis] != int(state) {
					return 0
				}
				return 1
			}, make([]float64, len(m.Factors[0].Circuit().Nodes)))
		}
		for range 10 {
			var states []int
			e := brute.Evidence{Hard: map[model.VarID]int{}}
			for v, n := range cards {
				states = append(states, rng.IntN(n+1)-1)
				if states[v] >= 0 {
					e.Hard[model.VarID(v)] = states[v]
				}
			}
			want := 0.0
			for k, x := range networks {
				j, err := brute.New(x)
				if err != nil {
					t.Fatal(err)
				}
				want += weights[k] * math.Exp(j.LogProb(e))
			}
			if got := value(states); math.Abs(got-want) > 1e-12 {
				t.Fatalf("P(%v) is %v; want %v", states, got, want)
			}
		}
	}
}

// A mixture of Gaussian networks has at each point the weighted sum of their densities, though
// their edges together have cycles.
func TestMixedGaussians(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		var networks []*model.Model
		for range 3 {
			m := &model.Model{}
			for _, name := range []string{"a", "structure", "c", "d"} {
				m.NewReal(name)
			}
			networks = append(networks, randomNetwork(rng, m, func(parents []model.VarID, _ model.VarID) model.Dist {
				d := &model.Gaussian{Mean: []float64{rng.NormFloat64()}, Var: []float64{.2 + rng.Float64()}}
				for range parents {
					d.Coef = append(d.Coef, rng.NormFloat64())
				}
				return d
			}))
		}
		weights := []float64{.2, .3, .5}
		m, err := mixture(slices.Clone(networks), weights)
		if err != nil {
			t.Fatal(err)
		}
		if list := m.Check(); list.HasErrors() {
			t.Fatal(list.Err())
		}
		e := brute.HybridEvidence{Reals: map[model.VarID]float64{}}
		for v := range 4 {
			if v == 0 || rng.IntN(3) > 0 {
				e.Reals[model.VarID(v)] = rng.NormFloat64()
			}
		}
		density := func(m *model.Model) float64 {
			h, err := brute.NewHybrid(m, e)
			if err != nil {
				t.Fatal(err)
			}
			return math.Exp(h.LogDensity)
		}
		want := 0.0
		for k, x := range networks {
			want += weights[k] * density(x)
		}
		if got := density(m); math.Abs(got-want) > 1e-9*want {
			t.Errorf("density %v; want %v", got, want)
		}
	}
}
