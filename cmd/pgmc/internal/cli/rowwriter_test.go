package cli

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestRounded compares with numbers that strconv writes with twelve digits, of which a tie may be
// rounded the other way.
func TestRounded(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 100_000 {
		p := rng.Float64()
		if i%2 == 0 {
			p = math.Exp(-40 * p)
		}
		got := strconv.FormatFloat(rounded(p), 'g', -1, 64)
		if want := strconv.FormatFloat(rounded(p), 'g', 12, 64); got != trimmed(want) || math.Abs(rounded(p)-p) > 5.01e-13*p*10 {
			t.Fatalf("%v is rounded to %s; want twelve digits", p, got)
		}
	}
	for p, want := range map[float64]float64{0: 0, 1: 1, 1 - 1e-16: 1, .1 + .2: .3, 1. / 3: .333333333333, 2. / 30: .0666666666667, 1e-300: 1e-300, .1: .1, .01: .01, 1e-10: 1e-10} {
		if got := rounded(p); got != want {
			t.Errorf("%v is rounded to %v; want %v", p, got, want)
		}
	}
}

// trimmed returns the shortest form of a number.
func trimmed(text string) string {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
