package pgmrt_test

import (
	"math"
	"math/rand/v2"
	"testing"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestSlices adds up runs whose roots are numbers of any size, some of them zero, with an exponent
// beside them or without, and compares the root and posteriors with sums of logarithms. The second
// variable of the cutset has states that the evidence rules out.
func TestSlices(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 4))
		plan := &pgmrt.CutsetPlan{Root: 0, Exp: int(seed%2) - 1,
			Vars: []pgmrt.CutsetVar{{State: 1, Card: 2, In: -1}, {State: 2, Card: 3, In: 1}},
			Outs: []pgmrt.CutsetOut{{At: 4, N: 2, Cut: -1}, {At: 6, N: 3, Cut: 1}}}
		s, ints := make([]float64, 9), make([]int32, 3)
		for k := range 3 {
			s[1+k] = float64(rng.IntN(2))
		}
		allowed := [3]bool{s[1] > 0, s[2] > 0, s[3] > 0}
		spread, top := 100.0, math.Inf(-1)
		if plan.Exp >= 0 {
			spread = 3000
		}
		var logs []float64
		var posteriors [][5]float64
		x := pgmrt.NewCutset(plan)
		for more := x.First(s, ints); more; more = x.Next(s, ints) {
			if !allowed[ints[2]] {
				t.Fatalf("seed %d: runs at an impossible state of %v", seed, ints)
			}
			log2, p := spread*(rng.Float64()-.5), rng.Float64()
			s[0] = math.Exp2(log2 - math.Floor(log2))
			if plan.Exp >= 0 {
				ints[0] = int32(math.Floor(log2))
			} else {
				s[0] = math.Ldexp(s[0], int(math.Floor(log2)))
			}
			s[4], s[5] = p, 1-p
			if rng.IntN(4) == 0 {
				s[0], log2 = 0, math.Inf(-1)
			}
			row := [5]float64{p, 1 - p}
			row[2+ints[2]] = 1
			logs, posteriors, top = append(logs, log2), append(posteriors, row), max(top, log2)
		}
		total, want := 0.0, [5]float64{}
		for i, log2 := range logs {
			w := math.Exp2(log2 - top)
			if math.IsInf(top, -1) {
				w = 0
			}
			total += w
			for k, p := range posteriors[i] {
				want[k] += w * p
			}
		}
		if total == 0 {
			if s[0] != 0 {
				t.Fatalf("seed %d: a root of %v; want 0", seed, s[0])
			}
			continue
		}
		got := math.Log2(s[0])
		if plan.Exp >= 0 {
			got += float64(ints[0])
		}
		if math.Abs(got-top-math.Log2(total)) > 1e-9 {
			t.Errorf("seed %d: a sum of 2^%v; want 2^%v", seed, got, top+math.Log2(total))
		}
		for k := range want {
			if math.Abs(s[4+k]-want[k]/total) > 1e-12 {
				t.Errorf("seed %d: posteriors %v; want %v, divided by %v", seed, s[4:9], want, total)
			}
		}
	}
}
