package rate_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/learn/rate"
)

// Tails with closed forms: with 1 degree of freedom 1 - 2/π atan t, with 2 1 - t/sqrt(2 + t²), and
// with 4 1 - 3/2 s + s³/2 with s = t/sqrt(4 + t²). With many degrees, those of the normal
// distribution, 2 Φ(-t), with a correction by (t³ + t)/4n of its density.
func TestTwoSided(t *testing.T) {
	for _, x := range []float64{1e-6, 0.3, 1, 2, 5, 12.706, 60, 1e4} {
		s := x / math.Sqrt(4+x*x)
		for _, c := range []struct{ n, want, off float64 }{
			{1, 1 - 2/math.Pi*math.Atan(x), 1e-12},
			{2, 1 - x/math.Sqrt(2+x*x), 1e-12},
			{4, 1 - 1.5*s + s*s*s/2, 1e-12},
			{1e6, math.Erfc(x / math.Sqrt2), 1e-6},
		} {
			for _, t2 := range []float64{x, -x} {
				if got := rate.TwoSided(c.n, t2); math.Abs(got-c.want) > c.off {
					t.Errorf("%v degrees of freedom, t %v: %v; want %v", c.n, t2, got, c.want)
				}
			}
		}
	}
	// The 5 % points of printed tables, and an extreme tail, 2 Φ(-8) = 1.2442e-15, whose digits
	// must not cancel.
	for _, c := range []struct{ n, t, want float64 }{{10, 2.228139, 0.05}, {30, 2.042272, 0.05}, {1e9, 8, 1.2442e-15}} {
		if got := rate.TwoSided(c.n, c.t); math.Abs(got/c.want-1) > 1e-4 {
			t.Errorf("%v degrees of freedom, t %v: %v; want %v", c.n, c.t, got, c.want)
		}
	}
}

// Student's own example, in hours of additional sleep of ten patients with one soporific compared
// with another: the mean of the differences is 1.58 and t is 4.0621 with 9 degrees of freedom, p
// 0.002833 (as R's t.test prints for its data set sleep).
func TestPaired(t *testing.T) {
	a := []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2}
	b := []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	var m rate.Mean
	for i := range a {
		m.Add(b[i]-a[i], 1)
	}
	got, ok := m.Test()
	if !ok || math.Abs(got.T-4.0621) > 5e-5 || got.DF != 9 || math.Abs(got.PValue-0.002833) > 5e-7 {
		t.Errorf("%+v; want t 4.0621 with 9 degrees of freedom and p 0.002833", got)
	}
	var one, same, shifted rate.Mean
	one.Add(3, 1)
	for range 5 {
		same.Add(0, 1)
		shifted.Add(2, 1)
	}
	if _, ok := one.Test(); ok {
		t.Error("one row has a test")
	}
	if got, _ := same.Test(); got.PValue != 1 || got.T != 0 {
		t.Errorf("of equal rows %+v; want t 0 and p 1", got)
	}
	if got, _ := shifted.Test(); got.PValue != 0 || !math.IsInf(got.T, 1) {
		t.Errorf("of rows that all differ by 2 %+v; want t infinite and p 0", got)
	}
}
