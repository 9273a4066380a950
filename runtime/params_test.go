package pgmrt

import (
	"math"
	"testing"
)

func TestInRange(t *testing.T) {
	if !InRange([]float64{0, 1e-60, 1e60}) || !InRange(nil) {
		t.Error("numbers in range are refused")
	}
	for _, x := range []float64{-1, 9e-61, 1.1e60, math.NaN(), math.Inf(1)} {
		if InRange([]float64{1, x}) {
			t.Errorf("%v is accepted", x)
		}
	}
}

func TestGaussianInRange(t *testing.T) {
	own := []float64{1, 0, 2, 0} // two means, and two variances
	for _, c := range []struct {
		x    []float64
		want bool
	}{
		{[]float64{-1e4, 0, 1e-4, 0}, true},
		{[]float64{0, 1e4, 1e4, 0}, true},
		{[]float64{1.1e4, 0, 2, 0}, false},
		{[]float64{0, math.NaN(), 2, 0}, false},
		{[]float64{0, 0, 9e-5, 0}, false},
		{[]float64{0, 0, -1, 0}, false},
		{[]float64{0, 0, 0, 0}, false},
		{[]float64{0, 0, 2, 1}, false},
	} {
		if got := GaussianInRange(c.x, own, 2, 1e-4, 1e4); got != c.want {
			t.Errorf("%v: %v; want %v", c.x, got, c.want)
		}
	}
}
