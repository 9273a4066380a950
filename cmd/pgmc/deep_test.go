package main

import (
	"bytes"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/learn/data"
)

// In a mixture whose two parts divide 400 variables differently, nothing is rescaled. A row of states with the probability 1/500 or 1/1000
// each, all those of half of the variables the same of the two, has the logarithm -400 ln 500 - 2 ln 2, far below that of the least float64.
// With half of it missing, one part has one half to sum over and the other two. An impossible row stays so, and nobody is warned.
func TestDeepRows(t *testing.T) {
	const n = 400
	var said bytes.Buffer
	by, err := (&app{&cli.App{Stderr: &said, MaxMem: 1 << 30, MaxTable: 1 << 20}}).newRater(t.Context(), "deep", irtest.CrossedMixture(n))
	if err != nil || said.Len() > 0 {
		t.Fatalf("%v, and it says %q", err, &said)
	}
	whole, half, none := make([]int, n), make([]int, n), make([]int, n)
	for v := range n / 2 {
		half[v] = data.Missing
	}
	none[n-1] = 2
	got, err := by.logs(t.Context(), [][]int{whole, half, none})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{-n*math.Log(500) - 2*math.Ln2, -n/2*math.Log(500) + math.Log(0.375), math.Inf(-1)} {
		if got[i] != want && !(math.Abs(got[i]-want) < 1e-9) {
			t.Errorf("row %d: %v; want %v", i, got[i], want)
		}
	}
	by.deep = nil
	if got, err = by.logs(t.Context(), [][]int{whole, half}); err != nil || !math.IsInf(got[0], -1) || !math.IsInf(got[1], -1) {
		t.Errorf("without logarithms %v, %v; want rows that are too improbable", got, err)
	}
}
