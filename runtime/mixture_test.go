package pgmrt

import (
	"math"
	"testing"
)

func TestMixture(t *testing.T) {
	m := Mixture{{.4, 0, 1}, {.6, 3, 4}} // Koller and Friedman, example 14.4
	if math.Abs(m.Mean()-1.8) > 1e-15 || math.Abs(m.Variance()-4.96) > 1e-14 {
		t.Errorf("mean %v, variance %v; want 1.8 and 4.96", m.Mean(), m.Variance())
	}
	// The density integrates to the distribution function (Simpson's rule).
	const n, low, high = 2000, -12.0, 1.5
	h, sum := (high-low)/n, m.PDF(low)+m.PDF(high)
	for i := 1; i < n; i++ {
		sum += float64(2+2*(i%2)) * m.PDF(low+float64(i)*h)
	}
	if got := sum * h / 3; math.Abs(got-m.CDF(high)) > 1e-10 {
		t.Errorf("the integral of the density is %v; want %v", got, m.CDF(high))
	}
	for _, p := range []float64{1e-12, .01, .4, .5, .99} {
		if x := m.Quantile(p); math.Abs(m.CDF(x)-p) > 1e-15 {
			t.Errorf("the CDF at quantile %v is %v", p, m.CDF(x))
		}
	}
	if !math.IsInf(m.Quantile(0), -1) || !math.IsInf(m.Quantile(1), 1) || !math.IsNaN(m.Quantile(1.5)) || !math.IsNaN(Mixture{}.Quantile(.5)) {
		t.Error("quantiles of 0, 1 and no probability")
	}
	points := Mixture{{.25, 1, 0}, {.75, 2, 0}}
	if points.CDF(1) != .25 || points.CDF(.9) != 0 || points.Quantile(.25) != 1 || points.Quantile(.3) != 2 || !math.IsInf(points.PDF(2), 1) || points.PDF(3) != 0 {
		t.Error("a mixture of points")
	}
}
