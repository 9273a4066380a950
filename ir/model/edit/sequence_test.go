package edit_test

import (
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/model/edit"
)

// machine returns a template whose decision knows the state of the slice before, on which a utility
// of later slices depends as well.
func machine() *model.Model {
	m := &model.Model{Name: "machine"}
	state, action := m.NewVar("state", "good", "broken").ID, m.NewVar("action", "run", "repair", "wait").ID
	m.Vars[action].Given = true
	m.Factors = []*model.Factor{{Scope: []model.VarID{state}, Dist: &model.Table{Values: []float64{1, 0}}}}
	m.Diagram = &model.Diagram{Decisions: []*model.Decision{{Var: action}}, Horizon: 3,
		Utilities: []*model.Utility{{Name: "profit", Scope: []model.VarID{action, state}, Values: []float64{5, 0, 1, -1, 2, 2}}}}
	m.Transition = &model.Transition{Before: []model.VarID{action, state},
		Factors:   []*model.Factor{{Scope: []model.VarID{2, 3, state}, Child: 2, Dist: &model.Table{Values: []float64{.5, .5, 0, 1, 1, 0, 1, 0, .75, .25, 0, 1}}}},
		Decisions: []*model.Decision{{Var: action, Known: []model.VarID{3}}},
		Utilities: []*model.Utility{{Name: "profit", Scope: []model.VarID{action, 3}, Values: []float64{5, 0, 1, -1, 2, 2}}}}
	return m
}

// TestSequences changes a template with decisions: its later slices change with slice 0.
func TestSequences(t *testing.T) {
	m := machine()
	if list := m.Check(); list.HasErrors() {
		t.Fatal(list.Err())
	}
	swapped, _, err := edit.SetStates(m, 1, []edit.NewState{{Name: "wait", From: 2}, {Name: "run", From: 0}}, 100)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := swapped.Transition.Utilities[0].Values, []float64{2, 2, 5, 0}; !slices.Equal(got, want) {
		t.Errorf("utilities of later slices are %v; want %v", got, want)
	}
	added, _, err := edit.Add(m, model.Var{Name: "noise", Domain: model.Discrete{States: []string{"low", "high"}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := added.Transition; got.Decisions[0].Known[0] != 4 || got.Utilities[0].Scope[1] != 4 {
		t.Errorf("later slices know %v and value %v; want the variable of the slice before, 4", got.Decisions[0].Known, got.Utilities[0].Scope)
	}
	without, _, err := edit.Remove(m, 0, nil, 100)
	if err != nil {
		t.Fatal(err)
	}
	next := without.Transition
	if len(next.Before) != 1 || len(next.Decisions[0].Known) != 0 || !slices.Equal(next.Utilities[0].Values, []float64{2.5, 0, 2}) {
		t.Errorf("without the state, later slices have %v of the slice before, know %v and value %v", next.Before, next.Decisions[0].Known, next.Utilities[0].Values)
	}
	if m.Transition.Utilities[0].Values[0] != 5 || len(m.Transition.Decisions[0].Known) != 1 {
		t.Error("the template itself was changed")
	}
}
