package edit_test

import (
	"reflect"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/model/edit"
)

// network returns a decision analysis network in which a test reveals its result, and no test has
// none. A symptom is always observed.
func network() *model.Model {
	m := &model.Model{Kind: model.Bayes}
	symptom, test, result := m.NewVar("symptom", "y", "n"), m.NewVar("test", "y", "n"), m.NewVar("result", "pos", "neg")
	test.Given = true
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{symptom.ID}, Dist: &model.Table{Values: []float64{.5, .5}}},
		{Scope: []model.VarID{test.ID, result.ID}, Child: 1, Dist: &model.Table{Values: []float64{.3, .7, .4, .6}}},
	}
	m.Diagram = &model.Diagram{
		Decisions: []*model.Decision{{Var: test.ID}},
		Utilities: []*model.Utility{{Name: "price", Criterion: "money", Scope: []model.VarID{test.ID}, Values: []float64{-1, 0}}},
		Criteria:  []*model.Criterion{{Name: "money", Scale: 2}},
		Asymmetry: &model.Asymmetry{
			Restrictions: []*model.Restriction{{Parent: test.ID, Child: result.ID, Allowed: []bool{true, true, false, false}}},
			Reveals:      []*model.Reveal{{By: test.ID, States: []int{0}, Var: result.ID}},
			Observed:     []model.VarID{symptom.ID},
		},
	}
	return m
}

// TestAsymmetry compares criteria, restrictions, revelations and what is always observed after
// operations with what their numbers should be.
func TestAsymmetry(t *testing.T) {
	type states = []edit.NewState
	restrict := func(parent, child model.VarID, allowed ...bool) []*model.Restriction {
		return []*model.Restriction{{Parent: parent, Child: child, Allowed: allowed}}
	}
	m, y, n := network(), true, false
	symptom, test, result := id(t, m, "symptom"), id(t, m, "test"), id(t, m, "result")
	for _, c := range []struct {
		name string
		m    *model.Model
		want model.Asymmetry
	}{
		{"remove what is observed", done(t)(edit.Remove(m, symptom, nil, limit)),
			model.Asymmetry{Restrictions: restrict(0, 1, y, y, n, n), Reveals: []*model.Reveal{{By: 0, States: []int{0}, Var: 1}}, Observed: []model.VarID{}}},
		{"remove what is restricted", done(t)(edit.Remove(m, result, nil, limit)), model.Asymmetry{Observed: []model.VarID{symptom}}},
		{"states of a parent", done(t)(edit.SetStates(m, test, states{{"n", 1}, {"later", -1}, {"y", 0}}, limit)),
			model.Asymmetry{Restrictions: restrict(test, result, n, n, y, y, y, y), Reveals: []*model.Reveal{{By: test, States: []int{2}, Var: result}}, Observed: []model.VarID{symptom}}},
		{"states of a child", done(t)(edit.SetStates(m, result, states{{"pos", 0}, {"neg", 1}, {"unclear", -1}}, limit)),
			model.Asymmetry{Restrictions: restrict(test, result, y, y, y, n, n, y), Reveals: m.Diagram.Asymmetry.Reveals, Observed: []model.VarID{symptom}}},
		{"edge", done(t)(edit.AddEdge(m, symptom, test, limit)), *m.Diagram.Asymmetry},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.m.Diagram.Asymmetry; !reflect.DeepEqual(*got, c.want) {
				t.Errorf("got %+v\nwant %+v", *got, c.want)
			}
			if got := c.m.Diagram.Criteria; !reflect.DeepEqual(got, m.Diagram.Criteria) {
				t.Errorf("got criteria %v", got)
			}
		})
	}
	if !reflect.DeepEqual(m, network()) {
		t.Error("the model itself changed")
	}
	if _, _, err := edit.Remove(m, test, nil, limit); err == nil || err.Error() != `"test" restricts or reveals "result"; want a variable that does neither` {
		t.Errorf("got %v", err)
	}
}

// TestUtilityFunction refuses to set a number of a utility that is a function.
func TestUtilityFunction(t *testing.T) {
	m := network()
	nodes, err := model.ParseFunc("2*price", m.Diagram.FunctionNames())
	if err != nil {
		t.Fatal(err)
	}
	m.Diagram.Utilities = append(m.Diagram.Utilities, &model.Utility{Name: "total", Function: &model.Func{Nodes: nodes}})
	_, _, err = edit.SetUtility(m, 1, nil, 3)
	if want := `utility "total" is a function of others; want one with numbers`; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}
