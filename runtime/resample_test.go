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

// TestResampleRegular compares the systematic scheme with a search for each number, for
// distributions with elements of probability 0, with few and many copies of one, and with sums that
// rounding leaves below 1.
func TestResampleRegular(t *testing.T) {
	r := NewRand(3)
	for run := range 2000 {
		p, sum := make([]float64, 1+int(30*r.Float64())), 0.0
		for i := range p {
			if p[i] = r.Float64(); run%3 > 0 {
				p[i] = max(0, float64(p[i]*p[i])-.3)
			}
			if run%5 == 0 {
				p[i] = math.Floor(4 * p[i])
			}
			sum += p[i]
		}
		if sum == 0 {
			continue
		}
		for i := range p {
			p[i] /= sum
			if run%7 == 0 {
				p[i] *= .99
			}
		}
		u, from := r.Float64(), make([]int32, 1+int(40*r.Float64()))
		if run%4 == 0 {
			u = 0
		}
		resampleRegular(from, p, u)
		pick := picker{p: p}
		for k, got := range from {
			if want := pick.at((float64(k) + u) / float64(len(from))); got != want {
				t.Fatalf("number %d of %d, u %v, of %v: element %d; want %d", k, len(from), u, p, got, want)
			}
		}
	}
}
