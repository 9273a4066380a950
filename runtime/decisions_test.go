package pgmrt

import (
	"math"
	"slices"
	"testing"
)

func TestBestOption(t *testing.T) {
	for _, c := range []struct {
		pairs []float64
		least float64
		best  int
		want  []float64
	}{
		{[]float64{.5, .5, 10, 20}, -80, 1, []float64{-60, -40}},
		{[]float64{.25, .25, .25, 20, 20, 20}, -80, 0, []float64{0, 0, 0}},
		{[]float64{1, 1, 80, 80 * (1 + 0x1p-50)}, -80, 0, []float64{0, 80 * 0x1p-50}}, // equal but for rounding
		{[]float64{1, 1, 80, 80 * (1 + 0x1p-40)}, -80, 1, []float64{0, 80 * 0x1p-40}},
		{[]float64{1, 0}, 3, 0, []float64{3}},
	} {
		out := make([]float64, len(c.want))
		if best := BestOption(c.pairs, c.least, out); best != c.best || !slices.EqualFunc(out, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-13 }) {
			t.Errorf("%v above %v: %d, %v; want %d, %v", c.pairs, c.least, best, out, c.best, c.want)
		}
	}
}

func TestInformation(t *testing.T) {
	for _, c := range []struct {
		options, states []float64
		want            float64
	}{
		{[]float64{.5, .5, 10, 20}, []float64{.125, .375, 10, 15}, 10},
		{[]float64{.5, .5, 10, 20}, []float64{.5, 0, 20, 0}, 0},
		{[]float64{.5, .5, 10, 20}, []float64{.5, 0, 20 - 1e-14, 0}, 0}, // less by rounding
	} {
		if got := Information(c.options, c.states); got != c.want {
			t.Errorf("%v, %v: %v; want %v", c.options, c.states, got, c.want)
		}
	}
}
