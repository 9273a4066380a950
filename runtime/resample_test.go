package pgmrt

import (
	"math"
	"slices"
	"testing"
)

// TestResample checks that each scheme draws in ascending order, each element n times its
// probability on average, and never one of probability 0.
func TestResample(t *testing.T) {
	p := []float64{0, .05, .5, 0, .33, .02, .1, 0}
	const n, runs = 7, 20000
	r := NewRand(1)
	from, scratch := make([]int32, n), make([]float64, len(p))
	for name, scheme := range map[string]Scheme{"systematic": ResampleSystematic, "stratified": ResampleStratified, "residual": ResampleResidual} {
		sum := make([]float64, len(p))
		for range runs {
			Resample(from, scheme, p, scratch, r)
			if !slices.IsSorted(from) {
				t.Fatalf("%s: %v; want an ascending list", name, from)
			}
			counts := make([]float64, len(p))
			for _, i := range from {
				sum[i]++
				counts[i]++
			}
			for i, k := range counts {
				if scheme != ResampleStratified && k < math.Floor(n*p[i]) {
					t.Fatalf("%s: element %d is drawn %v times; want the whole part of %v or more", name, i, k, n*p[i])
				}
			}
		}
		for i, x := range sum {
			want := n * p[i]
			if math.Abs(x/runs-want) > 4*math.Sqrt(n*p[i]*(1-p[i])/runs) {
				t.Errorf("%s: element %d is drawn %v times; want %v", name, i, x/runs, want)
			}
		}
	}
}
