package acmn

import (
	"math"
	"testing"
)

// Without priors, the weights of two features that never hold together have a closed form: ln of
// the odds of the feature against neither in the data, minus that in the model. A strong L1 penalty
// leaves them 0. The weight of a feature that the model already represents stays 0.
func TestGain(t *testing.T) {
	x := addition{p: 0.2, q: 0.3, seen: 30, none: 20, rows: 100}
	a, b, value := x.best()
	wantA, wantB := math.Log(0.3*0.5/(0.2*0.5)), math.Log(0.2*0.5/(0.3*0.5))
	want := 100 * (0.3*math.Log(0.3/0.2) + 0.2*math.Log(0.2/0.3)) // the decrease of the divergence
	if math.Abs(a-wantA) > 1e-6 || math.Abs(b-wantB) > 1e-6 || math.Abs(value-want) > 1e-9 {
		t.Errorf("got %v, %v, %v; want %v, %v, %v", a, b, value, wantA, wantB, want)
	}
	x.l1 = 100
	if a, b, value := x.best(); a != 0 || b != 0 || value != 0 {
		t.Errorf("with a strong penalty: %v, %v, %v; want 0", a, b, value)
	}
	one := addition{p: 0.2, q: 0.3, seen: 40, none: 60 * 0.3 / 0.8, rows: 100, l1: 1, precision: 0.5}
	a, b, value = one.best()
	for _, step := range [][2]float64{{1e-3, 0}, {-1e-3, 0}, {0, 1e-3}, {0, -1e-3}, {1e-3, 1e-3}, {1e-3, -1e-3}} {
		if near := one.value(a+step[0], b+step[1]); near > value {
			t.Errorf("at %v, %v the value is %v, and %v beside it", a, b, value, near)
		}
	}
	// The feature always or never holds in the model.
	for _, x := range []addition{{p: 1, seen: 90, rows: 100, precision: 1}, {p: 0, q: 0, seen: 5, none: 5, rows: 100, precision: 1}} {
		if a, b, value := x.best(); math.IsNaN(a+b+value) || value < 0 {
			t.Errorf("%+v: %v, %v, %v", x, a, b, value)
		}
	}
}
