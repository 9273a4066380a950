package convex_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/learn/internal/convex"
)

// TestMinimise checks known minima: of a stretched quadratic, (x-3)^2 + 50 (y+1)^2, which a penalty
// of 4 on both shrinks by 2 and by 0.04; and of e^x - 2x + |y|, at ln 2 and 0, and with a penalty
// of 1 on x at 0, since the slope there is -1.
func TestMinimise(t *testing.T) {
	quadratic := func(x, g []float64) float64 {
		g[0], g[1] = 2*(x[0]-3), 100*(x[1]+1)
		return (x[0]-3)*(x[0]-3) + 50*(x[1]+1)*(x[1]+1)
	}
	exponential := func(x, g []float64) float64 {
		g[0], g[1] = math.Exp(x[0])-2, 0
		return math.Exp(x[0]) - 2*x[0]
	}
	for _, c := range []struct {
		name  string
		f     func(x, g []float64) float64
		l1    []float64
		x     []float64
		want  []float64
		least float64
	}{
		{"quadratic", quadratic, nil, []float64{10, 10}, []float64{3, -1}, 0},
		{"shrunk", quadratic, []float64{4, 4}, []float64{-10, 10}, []float64{1, -0.96}, 4 + 0.08 + 4 + 3.84},
		{"to zero", quadratic, []float64{6, 200}, []float64{1, 1}, []float64{0, 0}, 59},
		{"exponential", exponential, []float64{0, 1}, []float64{5, 2}, []float64{math.Ln2, 0}, 2 - 2*math.Ln2},
		{"at a kink", exponential, []float64{1, 1}, []float64{5, 2}, []float64{0, 0}, 1},
	} {
		got := convex.Minimise(c.f, c.x, convex.Options{L1: c.l1, Steps: 100, Tolerance: 1e-14})
		if math.Abs(got-c.least) > 1e-9 {
			t.Errorf("%s: least value %v; want %v", c.name, got, c.least)
		}
		for i := range c.x {
			if math.Abs(c.x[i]-c.want[i]) > 1e-4 {
				t.Errorf("%s: at %v; want %v", c.name, c.x, c.want)
			}
		}
	}
}
