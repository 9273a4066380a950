package rate_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// sprinklers returns the dependency network of the sprinkler's joint distribution: cloudy given
// sprinkler and rain, sprinkler and rain given the others, the grass given sprinkler and rain.
func sprinklers(t *testing.T) (*model.Model, *brute.Joint) {
	t.Helper()
	joint, err := brute.New(irtest.Sprinkler())
	if err != nil {
		t.Fatal(err)
	}
	m := irtest.Sprinkler()
	m.Kind, m.Factors = model.Dependency, nil
	for v, parents := range [][]model.VarID{{1, 2}, {0, 2, 3}, {0, 1, 3}, {1, 2}} {
		scope := append(parents, model.VarID(v))
		table := &model.Table{}
		state := []int{-1, -1, -1, -1}
		for _, p := range scope {
			state[p] = 0
		}
		for more := true; more; {
			given := append([]int(nil), state...)
			given[v] = -1
			table.Values = append(table.Values, joint.Posterior(model.VarID(v), evidenceOf(given))[state[v]])
			more = m.Next(scope, state)
		}
		m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: table})
	}
	return m, joint
}

// Cloudy and the grass each depend on two variables, and cloudy comes first. It leaves one parent
// open for each of sprinkler and rain, but two for the grass: 2, 2 and 2; then one for the rain,
// and none for the grass.
func TestTurns(t *testing.T) {
	m, joint := sprinklers(t)
	turns := rate.Turns(m)
	if want := []rate.Turn{{Var: 0}, {Var: 1}, {Var: 2}, {Var: 3, Known: true}}; !reflect.DeepEqual(turns, want) {
		t.Fatalf("turns %+v; want %+v", turns, want)
	}
	rows, err := rate.NewRows(m)
	if err != nil {
		t.Fatal(err)
	}
	// CPDs of one distribution have its probabilities in any order.
	row, logs := []int{1, 0, 1, 0}, make([]float64, 4)
	rows.Conditionals(row, logs)
	asked := 0
	got, err := rate.InTurn(turns, logs, func(v model.VarID, given []model.VarID) (float64, error) {
		states := []int{-1, -1, -1, -1}
		for _, u := range given {
			states[u] = row[u]
		}
		asked++
		return joint.Posterior(v, evidenceOf(states))[row[v]], nil
	})
	if want := joint.LogProb(evidenceOf(row)); err != nil || math.Abs(got-want) > 1e-12 || asked != 3 {
		t.Errorf("%v after %d questions, %v; want %v after 3", got, asked, err, want)
	}
}
