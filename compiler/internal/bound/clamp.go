package bound

import (
	"math"
	"slices"
)

// clampWork bounds the numbers that clamping computes, if the work is counted.
const clampWork = 1 << 28

// clamped holds bounds of ln of the sum over all joint states with one state of one variable.
type clamped struct{ lower, upper float64 }

// clamps bounds the sums with each state of each variable: with all its other states impossible,
// the eliminations of the whole are bounds for one state. Variables that it does not finish,
// before stop reports true or the counted work is done, have none.
func clamps(up, down *elimination, counted bool, stop func() bool) [][]clamped {
	out := make([][]clamped, len(up.Card))
	work := 0.0
	for v, n := range up.Card {
		if work += 2 * float64(n) * up.total; n > 1 && !stop() && !(counted && work > clampWork) {
			out[v] = clamp(up, down, v, stop)
		}
	}
	up.forward()
	down.forward()
	return out
}

// clamp bounds the sums with each state of v, or returns nil if stop reports true before the last.
func clamp(up, down *elimination, v int, stop func() bool) (out []clamped) {
	was := slices.Clone(up.dead[v])
	defer func() { copy(up.dead[v], was) }()
	for k := range was {
		if was[k] {
			out = append(out, clamped{math.Inf(-1), math.Inf(-1)})
			continue
		}
		for j := range was {
			up.dead[v][j] = j != k
		}
		up.forward()
		down.forward()
		out = append(out, clamped{down.value - up.slack(), up.value + up.slack()})
		if stop() {
			return nil
		}
	}
	return out
}

// narrow tightens bounds of the marginals of one variable by those of the sums with each of its
// states, and by those of the whole sum.
func narrow(bounds []Bound, sums []clamped, least, most float64) {
	lower := make([]float64, len(sums))
	for k, x := range sums {
		lower[k] = x.lower
	}
	least = max(least, logSum(lower))
	for k, x := range sums {
		others, low := make([]float64, 0, len(sums)), math.Inf(-1)
		for j, y := range sums {
			if j != k {
				others = append(others, y.upper)
				low = logAdd(low, y.lower)
			}
		}
		b := &bounds[k]
		if whole := max(least, logAdd(x.upper, low)); !math.IsInf(whole, -1) {
			b.Upper = min(b.Upper, math.Exp(x.upper-whole)+rounding)
		}
		if whole := min(most, logAdd(x.lower, logSum(others))); !math.IsInf(whole, -1) {
			b.Lower = max(b.Lower, math.Exp(x.lower-whole)-rounding)
		}
		b.settle()
	}
	complement(bounds)
}

// within moves estimates of probabilities into their bounds. They sum to one again, but for
// rounding.
func within(p []float64, bounds []Bound) {
	low, above := 0.0, 0.0
	for k, b := range bounds {
		low += b.Lower
		p[k] = min(max(p[k], b.Lower), b.Upper)
		above += p[k] - b.Lower
	}
	for k, b := range bounds {
		if above > 0 {
			p[k] = min(b.Upper, b.Lower+(p[k]-b.Lower)*max(0, 1-low)/above)
		}
	}
}
