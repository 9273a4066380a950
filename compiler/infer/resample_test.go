package infer_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestResample checks that each scheme draws as many as it should, each element n times its
// probability on average, and never one of probability 0.
func TestResample(t *testing.T) {
	p := []float64{0, .05, .5, 0, .33, .02, .1, 0}
	const n, runs = 7, 20000
	r := pgmrt.NewRand(1)
	for name, scheme := range map[string]ir.Scheme{"systematic": ir.Systematic, "stratified": ir.Stratified, "residual": ir.Residual} {
		sum := make([]float64, len(p))
		for range runs {
			all := 0
			for i, k := range infer.Resample(scheme, p, n, r) {
				sum[i] += float64(k)
				all += k
			}
			if all != n {
				t.Fatalf("%s: %d draws; want %d", name, all, n)
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
