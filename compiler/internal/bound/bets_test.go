package bound

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestBets bounds the means of weights that are rare and large, alike, or sometimes zero, after
// 1, 4, 16, 64, 256 and 1,024 of them. Each bound fails at any of them in no more than its share of
// the runs, plus three standard errors, and most runs are narrow in the end.
func TestBets(t *testing.T) {
	const risk = .1
	runs := irtest.Count(t, 30, 400)
	for _, tt := range []struct {
		name     string
		mean     float64
		draw     func(*rand.Rand) float64
		distance float64 // ln of how far the bounds may be apart in the middle
	}{
		{"alike", .5, func(r *rand.Rand) float64 { return .45 + .1*r.Float64() }, .02},
		{"half zero", .25, func(r *rand.Rand) float64 { return float64(r.IntN(2)) / 2 }, .2},
		{"rare", 1e-3, func(r *rand.Rand) float64 { return float64(max(0, r.IntN(1000)-998)) }, 8},
		{"products of ten", math.Pow(.5, 10), func(r *rand.Rand) float64 {
			x := 1.0
			for range 10 {
				x *= r.Float64()
			}
			return x
		}, 2.4},
	} {
		above, below, narrow := 0, 0, 0
		for seed := range runs {
			rng := rand.New(rand.NewPCG(uint64(seed), 31))
			var b bets
			high, low, width := false, false, 0.0
			for n := 1; n <= 1024; n++ {
				b.add(math.Log(tt.draw(rng)))
				if n&(n-1) == 0 && bits.Len(uint(n))%2 == 1 {
					lower, upper := b.interval(risk)
					high, low = high || lower > math.Log(tt.mean), low || upper < math.Log(tt.mean)
					width = upper - lower
				}
			}
			if high {
				above++
			}
			if low {
				below++
			}
			if width < tt.distance {
				narrow++
			}
		}
		n := float64(runs)
		most := n*risk + 3*math.Sqrt(n*risk*(1-risk))
		if float64(above) > most || float64(below) > most || narrow < runs/2 {
			t.Errorf("%s: %d lower and %d upper bounds of %d fail, %d intervals are narrow", tt.name, above, below, runs, narrow)
		}
	}
}

// TestBetsWithoutWeights asks for bounds before any weight, and after zeros alone.
func TestBetsWithoutWeights(t *testing.T) {
	var b bets
	if lower, upper := b.interval(.05); !math.IsInf(lower, -1) || upper != 0 {
		t.Errorf("[%v, %v] without weights; want nothing", lower, upper)
	}
	for range 1000 {
		b.add(math.Inf(-1))
	}
	lower, upper := b.interval(.05)
	if want := math.Log(math.Log(20) / 1000); !math.IsInf(lower, -1) || upper < want || upper > want+1 {
		t.Errorf("[%v, %v] after 1000 zeros; want -Inf and little more than %v", lower, upper, want)
	}
}
