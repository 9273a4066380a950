package pgmrt

import (
	"errors"
	"math"
	"slices"
	"testing"
)

func TestSensitivity(t *testing.T) {
	failed := errors.New("failed")
	for _, c := range []struct {
		name      string
		part      float64
		err       error
		p, factor float64
		weights   []float64
	}{
		{"a quarter", math.Log(.125), nil, .25, .25, []float64{0}},
		{"impossible", math.Inf(-1), nil, 0, 1, []float64{0, .5}},
		{"refused", 0, failed, 0, 0, []float64{0}},
	} {
		var weights []float64
		factor := 0.0
		p, err := Sensitivity(math.Log(.5), func(w float64) (float64, error) {
			weights = append(weights, w)
			return c.part, c.err
		}, func(f float64) { factor = f })
		if math.Abs(p-c.p) > 1e-15 || math.Abs(factor-c.factor) > 1e-15 || !errors.Is(err, c.err) || !slices.Equal(weights, c.weights) {
			t.Errorf("%s: %v, %v, factor %v with weights %v", c.name, p, err, factor, weights)
		}
	}
}

func TestWeigh(t *testing.T) {
	l := []float64{1, 2, 4}
	Weigh(l, 1, .5)
	if want := []float64{.5, 2, 2}; !slices.Equal(l, want) {
		t.Errorf("%v; want %v", l, want)
	}
}

func TestTarget(t *testing.T) {
	for _, c := range []struct {
		variable int
		state    uint
		n        int
		means    bool
		want     string
	}{
		{0, 3, 1, false, ""},
		{0, 4, 1, true, `light: variable "light" has no state 4 (states: [red green a "b"])`},
		{1, 0, 1, true, ""},
		{0, 0, 0, false, "light: the target has states of 0 variables; want one"},
		{0, 1, 2, true, "light: the target has states or values of 2 variables; want one"},
	} {
		variable, state, err := Target(&light, c.variable, c.state, c.n, c.means)
		if text(err) != c.want || err == nil && (variable != c.variable || state != c.state) {
			t.Errorf("%+v gives %d, %d, %v", c, variable, state, err)
		}
	}
}
