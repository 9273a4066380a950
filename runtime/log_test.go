package pgmrt_test

import (
	"math"
	"math/rand/v2"
	"testing"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

func TestLn(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{ // of the least numbers by decimals of 40 digits
		{0, math.Inf(-1)}, {1, 0}, {math.Inf(1), math.Inf(1)}, {math.E, 1},
		{5e-324, -744.4400719213812}, {0x1p-1022, -708.3964185322641},
	} {
		if got := pgmrt.Ln(c.x); got != c.want {
			t.Errorf("ln %v is %v; want %v", c.x, got, c.want)
		}
	}
	for _, x := range []float64{-5e-324, -1, math.NaN()} {
		if got := pgmrt.Ln(x); !math.IsNaN(got) {
			t.Errorf("ln %v is %v; want NaN", x, got)
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		x := math.Float64frombits(rng.Uint64N(1 << 53)) // subnormal, or a power of two larger
		frac, exp := math.Frexp(x)
		if got, want := pgmrt.Ln(x), math.Log(frac)+float64(exp)*math.Ln2; math.Abs(got-want) > 3e-13 {
			t.Errorf("ln %v is %v; want %v", x, got, want)
		}
	}
}
