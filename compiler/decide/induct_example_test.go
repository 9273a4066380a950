package decide_test

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir/model"
)

// A machine breaks one day in two while it runs, and a repair costs 3 and a day. It is worth it but
// on the last day.
func ExampleInduct() {
	m := &model.Model{Name: "machine"}
	state, action := m.NewVar("state", "good", "broken").ID, m.NewVar("action", "run", "repair").ID
	m.Vars[action].Given = true
	d := &model.Decision{Var: action, Known: []model.VarID{state}}
	profit := &model.Utility{Name: "profit", Scope: []model.VarID{state, action}, Values: []float64{10, -3, 0, -3}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{state}, Dist: &model.Table{Values: []float64{0, 1}}}}
	m.Diagram = &model.Diagram{Decisions: []*model.Decision{d}, Utilities: []*model.Utility{profit}, Horizon: 3}
	m.Transition = &model.Transition{Before: []model.VarID{state, action}, Decisions: []*model.Decision{d}, Utilities: []*model.Utility{profit},
		Factors: []*model.Factor{{Scope: []model.VarID{2, 3, state}, Child: 2, Dist: &model.Table{Values: []float64{.5, .5, 1, 0, 0, 1, 1, 0}}}}}
	x, err := decide.Induct(context.Background(), m, make([][]float64, 2), decide.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x.First.Utility)
	for _, p := range append(x.First.Policies, x.Later...) {
		fmt.Println(p.Choice)
	}
	// Output:
	// 12
	// [1]
	// [0 1]
	// [0]
}
