package decide_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// optionsOf returns, for each option in each case of a table, the sums of probability and of
// probability times utility over the joint states, if some decisions follow policies and others do
// what they like.
func optionsOf(m *model.Model, x *decide.Table, policies []*decide.Policy) (met, worth []float64) {
	n := m.Card(x.Decision)
	met, worth = make([]float64, n*len(x.Choice)), make([]float64, n*len(x.Choice))
	for state, q := range followed(m, make([][]float64, len(m.Vars)), &decide.Solution{Policies: policies}, x.Decision) {
		at := 0
		for _, v := range append(slices.Clone(x.Known), x.Decision) {
			at = at*m.Card(v) + state[v]
		}
		met[at], worth[at] = met[at]+q, worth[at]+q*sumOf(m, state)
	}
	return met, worth
}

// TestTable compares the tables of random diagrams with sums over the joint states: which cases can
// occur, their probabilities, and what the options are worth, in cases that the strategy does not
// reach as well. No option is better than the choice.
func TestTable(t *testing.T) {
	never, missed := 0, 0
	for seed := range uint64(irtest.Count(t, 60, 500)) {
		m := random(seed, 1+int(seed%3))
		s, err := decide.Solve(t.Context(), m, make([][]float64, len(m.Vars)), decide.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range s.Policies {
			x, err := s.Table(t.Context(), i, true)
			if err != nil {
				t.Fatal(err)
			}
			short, err := s.Table(t.Context(), i, false)
			if err != nil || short.Utility != nil || !slices.Equal(short.Choice, x.Choice) {
				t.Errorf("seed %d: %+v, error %v; want the choices of %+v", seed, short, err, x)
			}
			n := m.Card(p.Decision)
			reached, under := optionsOf(m, x, s.Policies)
			met, worth := optionsOf(m, x, s.Policies[i+1:])
			for at, choice := range x.Choice {
				q := reached[at*n] // the same for each option
				if occurs := met[at*n] > 0; occurs != (choice >= 0) || math.Abs(x.Probability[at]-q) > 1e-12 {
					t.Errorf("seed %d, case %d of %d: choice %d, probability %v; it can occur: %v, %v", seed, at, p.Decision, choice, x.Probability[at], occurs, q)
				}
				if choice < 0 {
					never++
					continue
				}
				for k := at * n; k < (at+1)*n; k++ {
					want := under[k] / q
					if q == 0 {
						want = worth[k] / met[k]
						missed++
					}
					if u := x.Utility[k]; math.Abs(u-want) > 1e-9 || u > x.Utility[at*n+choice]+1e-9 {
						t.Errorf("seed %d, case %d of %d, option %d: %v; want %v, at most %v", seed, at, p.Decision, k-at*n, u, want, x.Utility[at*n+choice])
					}
				}
			}
		}
	}
	if never == 0 || missed == 0 {
		t.Errorf("%d cases cannot occur, and the strategy misses %d options; want some", never, missed)
	}
}

// ExampleSolution_Table solves a diagram in which a forecast is known before an umbrella is taken.
func ExampleSolution_Table() {
	m := &model.Model{Name: "umbrella"}
	forecast, umbrella := m.NewVar("forecast", "rain", "dry"), m.NewVar("umbrella", "take", "leave")
	umbrella.Given = true
	m.Factors = []*model.Factor{{Scope: []model.VarID{forecast.ID}, Dist: &model.Table{Values: []float64{.25, .75}}}}
	m.Diagram = &model.Diagram{
		Decisions: []*model.Decision{{Var: umbrella.ID, Known: []model.VarID{forecast.ID}}},
		Utilities: []*model.Utility{{Name: "comfort", Scope: []model.VarID{forecast.ID, umbrella.ID}, Values: []float64{5, -10, -1, 3}}},
	}
	s, err := decide.Solve(context.Background(), m, make([][]float64, 2), decide.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := s.Table(context.Background(), 0, true)
	if err != nil {
		fmt.Println(err)
		return
	}
	for k, choice := range t.Choice {
		fmt.Println(m.States(forecast.ID)[k], m.States(umbrella.ID)[choice], t.Probability[k], t.Utility[2*k:2*k+2])
	}
	// Output:
	// rain take 0.25 [5 -10]
	// dry leave 0.75 [-1 3]
}
