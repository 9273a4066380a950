package model_test

import (
	"fmt"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
)

// A robot's range is the distance to the nearest wall, which a map has at the points of a grid.
func ExampleMap() {
	wall := &model.Map{Name: "wall", Cell: 1, Columns: 3, Values: []float64{
		0, 0, 0,
		0, 1, 0,
		0, 0, 0}}
	m := &model.Model{}
	x, y, z := m.NewReal("x").ID, m.NewReal("y").ID, m.NewReal("range").ID
	f := &model.Factor{Scope: []model.VarID{x, y, z}, Child: 2}
	names := m.ScopeNames(f)
	names.Maps = []*model.Map{wall}
	nodes, err := model.ParseFunc("2*wall(x, y - 1)", names)
	if err != nil {
		panic(err)
	}
	d := &model.Func{Nodes: nodes, Var: []float64{.1}}
	f.Dist = d
	text, err := d.Text(m, f)
	fmt.Println(text, err, d.MeanAt(m, f, nil, []float64{1.5, 2, 0}), wall.At(.5, .5))
	// Output: 2*wall(x, y - 1) <nil> 1 0.25
}

// TestMapNames checks names of maps and what an expression says of unknown functions.
func TestMapNames(t *testing.T) {
	for name, want := range map[string]bool{"hall": true, "hall_2": true, "2hall": false, "sin": false, "if": false, "a b": false, "": false} {
		if model.IsMapName(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
	names := model.FuncNames{Axis: func(string) (int, bool) { return 0, true }, Maps: []*model.Map{{Name: "hall"}, {Name: "floor"}}}
	for text, want := range map[string]string{
		"wall(x, x)": `column 1: found "wall"; want a function: sqrt, exp, log, sin, cos, tan, tanh, abs, atan2, min, max, pow or if, or a map: hall, floor`,
		"hall(x)":    `column 7: found ")"; want ","`,
	} {
		if _, err := model.ParseFunc(text, names); err == nil || err.Error() != want {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
}
