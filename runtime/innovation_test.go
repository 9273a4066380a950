package pgmrt

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// The distance of two residuals is that of gonum; one that is not seen changes nothing, nor does
// one of which nothing is known.
func TestInnovation(t *testing.T) {
	moments := []float64{1, 2, 7, 3, 4, .5, 2, 0, 0, 9, 0, 0, 0, math.Inf(1)}
	seen, x := []bool{true, true, false, true}, []float64{3, 1, 100, 5}
	cov, work := make([]float64, 16), make([]float64, 20)
	got := Innovation(moments, seen, x, cov, work)
	s, r := mat.NewSymDense(2, []float64{4, .5, .5, 2}), mat.NewVecDense(2, []float64{2, -1})
	var chol mat.Cholesky
	if !chol.Factorize(s) {
		t.Fatal("the covariances are not positive definite")
	}
	var y mat.VecDense
	if err := chol.SolveVecTo(&y, r); err != nil {
		t.Fatal(err)
	}
	if want := mat.Dot(r, &y); math.Abs(got-want) > 1e-12 {
		t.Errorf("distance %v; want %v", got, want)
	}
	if seen[3] || x[0] != 2 || x[1] != -1 || x[2] != 0 || x[3] != 0 || cov[1] != .5 || cov[4] != .5 || cov[10] != 0 {
		t.Errorf("seen %v, residuals %v, covariances %v", seen, x, cov)
	}
	if n := testing.AllocsPerRun(10, func() { Innovation(moments, seen, x, cov, work) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// A value that others determine adds nothing to the distance, or makes it infinite.
func TestInnovationFixed(t *testing.T) {
	for x, want := range map[float64]float64{2: 1, 3: math.Inf(1)} {
		got := Innovation([]float64{0, 0, 4, 4, 4}, []bool{true, true}, []float64{2, x}, make([]float64, 4), make([]float64, 6))
		if got != want {
			t.Errorf("second value %v: distance %v; want %v", x, got, want)
		}
	}
}

func TestChiSquaredTail(t *testing.T) {
	for n := 1; n < 12; n++ {
		for _, x := range []float64{1e-3, .5, 1, 6.6348966, 20, 90} {
			want := distuv.ChiSquared{K: float64(n)}.Survival(x)
			if got := ChiSquaredTail(n, x); math.Abs(got-want) > 1e-9*want+1e-14 {
				t.Errorf("%d degrees of freedom, above %v: %v; want %v", n, x, got, want)
			}
		}
	}
	if ChiSquaredTail(3, math.Inf(1)) != 0 || ChiSquaredTail(0, 5) != 1 || ChiSquaredTail(2, 0) != 1 {
		t.Error("the ends are wrong")
	}
}
