package infer_test

import (
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestUnambiguous checks that converged max-product messages on a grid, if one state of each
// variable is the best of its belief, choose just these states, which are then the best of every
// factor's belief (Koller and Friedman, exercise 13.9).
func TestUnambiguous(t *testing.T) {
	decoded := 0
	for _, seed := range irtest.Cases(t, 10, 200) {
		m := grid(4, rand.New(rand.NewPCG(seed, 16)))
		got, err := engine(t, m, infer.Options{Method: compiler.Named("maxprod")}).MPE(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		unique, chosen := true, true
		for v, d := range got.MaxMarginals {
			best := 0
			for k, p := range d.P {
				if p > d.P[best] {
					best = k
				}
			}
			for k, p := range d.P {
				unique = unique && (k == best || p < d.P[best]*(1-1e-3))
			}
			chosen = chosen && got.States[v].Index == best
		}
		if !unique || got.Report.Residual > 1e-6 {
			continue
		}
		if decoded++; !chosen || got.Report.Status != "converged" {
			t.Errorf("seed %d: %+v, and the best states of beliefs are chosen: %v", seed, got.Report, chosen)
		}
	}
	if decoded < 3 {
		t.Errorf("%d grids are decoded; want 3", decoded)
	}
}
