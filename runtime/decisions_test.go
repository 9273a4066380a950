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

func TestMoments(t *testing.T) {
	near := func(got, want Moments) {
		t.Helper()
		if !(math.Abs(got.Mean-want.Mean) <= 1e-12 && math.Abs(got.Variance-want.Variance) <= 1e-12) {
			t.Errorf("%v; want %v", got, want)
		}
	}
	near(TableMoments([]float64{.25, .75}, []float64{-4, 8}), Moments{5, 27})
	near(TableMoments([]float64{.25, .75, 0}, []float64{-4, 8, 1e9}), Moments{5, 27})
	if got, want := TableMoments([]float64{0, 1 + 0x1p-52, 0}, []float64{1e9, -.1, 2}), (Moments{-.1, 0}); got != want {
		t.Errorf("%v; want %v", got, want)
	}
	near(SumMoments([]float64{.5, .375, .3125}, -4, 16), Moments{8, 16})    // x has the mean 3/4, and its square 5/8
	near(SumMoments([]float64{.125, .0125, .00125}, 3, 8), Moments{3.8, 0}) // by rounding 1e-18
	if got := SumMoments([]float64{.125, .0125, .00125}, 3, 8); got.Variance != 0 {
		t.Errorf("%v; want no variance", got)
	}
	near(SumMoments([]float64{1, 0, 0}, -7, 1), Moments{-7, 0})
}
