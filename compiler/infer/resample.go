package infer

import (
	"math"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// resample draws n of the elements of a list with the given probabilities, which sum to 1, and
// returns how often each was drawn: n times its probability on average.
func resample(scheme ir.Scheme, p []float64, n int, r *pgmrt.Rand) []int {
	times := make([]int, len(p))
	switch scheme {
	case ir.Systematic:
		u := r.Float64()
		pick(times, p, n, func(k int) float64 { return (float64(k) + u) / float64(n) })
	case ir.Stratified:
		pick(times, p, n, func(k int) float64 { return (float64(k) + r.Float64()) / float64(n) })
	case ir.Residual:
		rest, left := make([]float64, len(p)), n
		for i, x := range p {
			times[i] = int(x * float64(n))
			rest[i] = float64(x*float64(n)) - float64(times[i])
			left -= times[i]
		}
		if left > 0 {
			total := 0.0
			for _, x := range rest {
				total += x
			}
			for i := range rest {
				rest[i] /= total
			}
			u := ascending(left, r)
			pick(times, rest, left, func(k int) float64 { return u[k] })
		}
	}
	return times
}

// pick counts the n numbers of at, which ascend from 0 to 1, by the element in whose part of the
// cumulative distribution they fall.
func pick(times []int, p []float64, n int, at func(k int) float64) {
	i, last, sum := -1, 0, 0.0
	for k := range n {
		u := at(k)
		for i < len(p)-1 && (i < 0 || u >= sum) {
			i++
			if sum += p[i]; p[i] > 0 {
				last = i
			}
		}
		times[last]++
	}
}

// ascending returns n independent uniform numbers in order: sums of exponential ones over their
// total.
func ascending(n int, r *pgmrt.Rand) []float64 {
	out := make([]float64, n)
	sum := 0.0
	for i := range out {
		sum -= math.Log1p(-r.Float64())
		out[i] = sum
	}
	sum -= math.Log1p(-r.Float64())
	for i := range out {
		out[i] /= sum
	}
	return out
}
