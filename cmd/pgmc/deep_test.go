package main

import (
	"fmt"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// A row of 400 independent variables whose states have the probability 1/1000 each has the logarithm -400 ln 1000, far below that of the
// least float64; half of it, where half of the row is missing. An impossible row stays so.
func TestDeepRows(t *testing.T) {
	const n = 400
	m := &model.Model{Name: "deep", Kind: model.Markov}
	c := &model.Circuit{}
	add := func(x model.CircuitNode) int32 {
		c.Nodes = append(c.Nodes, x)
		return int32(len(c.Nodes) - 1)
	}
	f := &model.Factor{Child: -1, Dist: c}
	var all []int32
	for v := range n {
		m.NewVar(fmt.Sprint("v", v), "0", "1", "2")
		f.Scope = append(f.Scope, model.VarID(v))
		var terms []int32
		for s, p := range []float64{0.001, 0.999, 0} {
			ind := add(model.CircuitNode{Op: model.CircuitIndicator, Axis: v, State: int32(s)})
			terms = append(terms, add(model.CircuitNode{Op: model.CircuitProduct, Args: []int32{ind, add(model.CircuitNode{Op: model.CircuitNumber, Value: p})}}))
		}
		all = append(all, add(model.CircuitNode{Op: model.CircuitSum, Args: terms}))
	}
	add(model.CircuitNode{Op: model.CircuitProduct, Args: all})
	m.Factors = []*model.Factor{f}
	whole, half, none := make([]int, n), make([]int, n), make([]int, n)
	for v := range n / 2 {
		half[v] = data.Missing
	}
	none[n-1] = 2
	rate, err := (&app{maxMem: 1 << 30, maxTable: 1 << 20, quiet: true}).newRater(t.Context(), "deep", m)
	if err != nil {
		t.Fatal(err)
	}
	got, err := rate.logs(t.Context(), [][]int{whole, half, none})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{-n * math.Log(1000), -n / 2 * math.Log(1000), math.Inf(-1)} {
		if got[i] != want && !(math.Abs(got[i]-want) < 1e-9) {
			t.Errorf("row %d: %v; want %v", i, got[i], want)
		}
	}
}
