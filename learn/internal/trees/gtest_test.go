package trees

import (
	"math"
	"testing"
)

// Values of the common tables of the chi-square distribution, of three digits behind the point: what is exceeded with probability 0.05 and 0.001.
func TestChiSquareTail(t *testing.T) {
	for _, c := range []struct {
		x    float64
		n    int
		want float64
	}{
		{3.841, 1, 0.05}, {10.828, 1, 0.001}, {5.991, 2, 0.05}, {7.815, 3, 0.05}, {16.266, 3, 0.001}, {9.488, 4, 0.05}, {18.307, 10, 0.05}, {29.588, 10, 0.001}, {0, 3, 1},
	} {
		if got := chiSquareTail(c.x, c.n); math.Abs(got-c.want) > 1e-3*c.want {
			t.Errorf("%d degrees of freedom: %v is exceeded with probability %v; want %v", c.n, c.x, got, c.want)
		}
	}
}
