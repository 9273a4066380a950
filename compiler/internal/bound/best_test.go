package bound

import (
	"context"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestAttempts begins with searches that end after one node: what the next attempt finds is never
// worse, and without a limit is the optimum.
func TestAttempts(t *testing.T) {
	better := 0
	for seed := range uint64(30) {
		m := irtest.RandomModel(seed, irtest.Options{MaxJoint: 1 << 10})
		all := make([]bool, len(m.Vars))
		for v := range all {
			all[v] = seed%3 > 0 || v%2 == 0
		}
		opt := Options{MaxMem: 1 << 10, Nodes: 1}
		want, err := attempt(context.Background(), m, all, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var before *Incumbent
		for i := range 3 {
			f, err := attempt(context.Background(), m, all, opt, before)
			if err != nil {
				t.Fatal(err)
			}
			if before != nil && (f.Value < before.Value || f.Bound > before.Bound && !f.Proven) {
				t.Errorf("seed %d, attempt %d: %v of at most %v; before, %v of at most %v", seed, i, f.Value, f.Bound, before.Value, before.Bound)
			}
			if before != nil && f.Value > before.Value {
				better++
			}
			before, opt = f, Options{MaxMem: 1 << 10, Nodes: 1 << (5 * i)}
		}
		f, err := attempt(context.Background(), m, all, Options{}, before)
		if err != nil || !f.Proven || f.Value != want.Value && math.Abs(f.Value-want.Value) > 1e-12 {
			t.Errorf("seed %d: %v of at most %v, %v; want %v", seed, f.Value, f.Bound, err, want.Value)
		}
	}
	if better == 0 {
		t.Error("no attempt found better states than the one before")
	}
}

func TestAfter(t *testing.T) {
	none := math.Inf(-1)
	before := &Incumbent{States: []int{1}, Value: -2, Bound: -1, Nodes: 3}
	if f := (&Incumbent{States: []int{0}, Value: -3, Bound: -0.5, Nodes: 4}).merge(before); f.States[0] != 1 || f.Value != -2 || f.Bound != -1 || f.Nodes != 7 {
		t.Errorf("worse states: %+v", f)
	}
	if f := (&Incumbent{States: []int{0}, Value: -1.5, Bound: -1.5, Proven: true}).merge(before); f.States[0] != 0 || f.Bound != -1.5 || !f.Proven {
		t.Errorf("the best states: %+v", f)
	}
	guess := &Incumbent{Value: none, Guess: &Assignment{Value: -9}}
	rounded := &Incumbent{States: []int{1}, Value: -1.5 + 1e-15, Bound: -1}
	if f := (&Incumbent{States: []int{0}, Value: -1.5, Bound: -1.5, Proven: true}).merge(rounded); f.States[0] != 0 || f.Value != -1.5 {
		t.Errorf("%+v after %+v", f, rounded)
	}
	if f := (&Incumbent{Value: none, Bound: 0, Guess: &Assignment{Value: -10}}).merge(guess); f.Guess.Value != -9 {
		t.Errorf("a worse guess: %+v", f.Guess)
	}
	if f := (&Incumbent{Value: -4, Bound: 0}).merge(guess); f.Guess != nil {
		t.Errorf("a guess beside states: %+v", f.Guess)
	}
}
