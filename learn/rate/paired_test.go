package rate_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/learn/rate"
)

// Student's own data: the hours of sleep that two drugs gave to ten patients (Student 1908, The
// probable error of a mean). The mean difference is 1.58, t is 4.0621 with 9 degrees of freedom,
// and p 0.002833 (as R's t.test prints for its data set sleep).
func TestPairedRows(t *testing.T) {
	first := []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0}
	second := []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	mean, p := rate.Paired(first, second)
	if math.Abs(mean+1.58) > 1e-12 || math.Abs(p-0.002833) > 5e-7 {
		t.Errorf("mean %v, p %v; want -1.58 and 0.002833", mean, p)
	}
	if mean, back := rate.Paired(second, first); mean < 0 || back != p {
		t.Errorf("the other way round, mean %v and p %v", mean, back)
	}
	for _, c := range []struct {
		name    string
		a, b    []float64
		mean, p float64
	}{
		{"no rows", nil, nil, 0, 1},
		{"one row", []float64{1}, []float64{3}, -2, 1},
		{"equal", []float64{1, 2}, []float64{1, 2}, 0, 1},
		{"one difference", []float64{1, 2, 3}, []float64{0, 1, 2}, 1, 0},
	} {
		if mean, p := rate.Paired(c.a, c.b); mean != c.mean || p != c.p {
			t.Errorf("%s: %v, %v; want %v, %v", c.name, mean, p, c.mean, c.p)
		}
	}
}
