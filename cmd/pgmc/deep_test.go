package main

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// In a mixture whose two parts divide 400 variables differently, nothing is rescaled. A row of states with the probability 1/500 or 1/1000
// each, all those of half of the variables the same of the two, has the logarithm -400 ln 500 - 2 ln 2, far below that of the least float64.
// With half of it missing, one part has one half to sum over and the other two. An impossible row stays so, and nobody is warned.
func TestDeepRows(t *testing.T) {
	const n = 400
	var said bytes.Buffer
	rate, err := (&app{stderr: &said, maxMem: 1 << 30, maxTable: 1 << 20}).newRater(t.Context(), "deep", crossed(n))
	if err != nil || said.Len() > 0 {
		t.Fatalf("%v, and it says %q", err, &said)
	}
	whole, half, none := make([]int, n), make([]int, n), make([]int, n)
	for v := range n / 2 {
		half[v] = data.Missing
	}
	none[n-1] = 2
	got, err := rate.logs(t.Context(), [][]int{whole, half, none})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{-n*math.Log(500) - 2*math.Ln2, -n/2*math.Log(500) + math.Log(0.375), math.Inf(-1)} {
		if got[i] != want && !(math.Abs(got[i]-want) < 1e-9) {
			t.Errorf("row %d: %v; want %v", i, got[i], want)
		}
	}
	rate.deep = nil
	if got, err = rate.logs(t.Context(), [][]int{whole, half}); err != nil || !math.IsInf(got[0], -1) || !math.IsInf(got[1], -1) {
		t.Errorf("without logarithms %v, %v; want rows that are too improbable", got, err)
	}
}

// crossed is a mixture of products over halves of n variables: the first and the last ones, the even and the odd ones. The variables of a half
// are independent but for a coin, which says whether their first states have the probability 1/500 or 1/1000. Their third ones are impossible.
func crossed(n int) *model.Model {
	m := &model.Model{Name: "deep", Kind: model.Markov}
	c := &model.Circuit{}
	add := func(x model.CircuitNode) int32 {
		c.Nodes = append(c.Nodes, x)
		return int32(len(c.Nodes) - 1)
	}
	product := func(args ...int32) int32 { return add(model.CircuitNode{Op: model.CircuitProduct, Args: args}) }
	mixture := func(args ...int32) int32 {
		for i, x := range args {
			args[i] = product(add(model.CircuitNode{Op: model.CircuitNumber, Value: 0.5}), x)
		}
		return add(model.CircuitNode{Op: model.CircuitSum, Args: args})
	}
	f := &model.Factor{Child: -1, Dist: c}
	half := func(in func(v int) bool) int32 {
		var parts []int32
		for _, p := range []float64{0.001, 0.002} {
			var all []int32
			for v := range n {
				if !in(v) {
					continue
				}
				var terms []int32
				for s, x := range []float64{p, 1 - p, 0} {
					terms = append(terms, product(add(model.CircuitNode{Op: model.CircuitIndicator, Axis: v, State: int32(s)}), add(model.CircuitNode{Op: model.CircuitNumber, Value: x})))
				}
				all = append(all, add(model.CircuitNode{Op: model.CircuitSum, Args: terms}))
			}
			parts = append(parts, product(all...))
		}
		return mixture(parts...)
	}
	for v := range n {
		m.NewVar(fmt.Sprint("v", v), "0", "1", "2")
		f.Scope = append(f.Scope, model.VarID(v))
	}
	mixture(product(half(func(v int) bool { return v < n/2 }), half(func(v int) bool { return v >= n/2 })),
		product(half(func(v int) bool { return v%2 == 0 }), half(func(v int) bool { return v%2 == 1 })))
	m.Factors = []*model.Factor{f}
	return m
}
