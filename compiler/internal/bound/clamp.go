package bound

import (
	"math"
	"slices"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
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
	was := slices.Clone(up.evidence[v])
	defer func() { copy(up.evidence[v], was) }()
	for k, x := range was {
		if math.IsInf(x, -1) {
			out = append(out, clamped{math.Inf(-1), math.Inf(-1)})
			continue
		}
		for j := range was {
			up.kill(v, j)
		}
		up.evidence[v][k] = x
		up.forward()
		down.forward()
		out = append(out, clamped{down.value - up.slack(), up.value + up.slack()})
		if stop() {
			return nil
		}
	}
	return out
}

// clampToBounds tightens bounds of the marginals of one variable by the bounds of the sums with
// each of its states and of the whole sum.
func clampToBounds(bounds []Bound, sums []clamped, least, most float64) {
	low, hi := make([]float64, len(sums)), make([]float64, len(sums))
	for k, x := range sums {
		low[k], hi[k] = x.lower, x.upper
	}
	lower, upper := ends(bounds)
	pgmrt.NarrowPosterior(lower, upper, low, hi, least, most)
	for k := range bounds {
		bounds[k] = Bound{lower[k], upper[k]}
	}
}

// ends returns the lower and the upper ends of bounds.
func ends(bounds []Bound) (lower, upper []float64) {
	for _, b := range bounds {
		lower, upper = append(lower, b.Lower), append(upper, b.Upper)
	}
	return lower, upper
}

// clampMarginals moves estimates of probabilities into their bounds. They sum to one again, up to
// rounding.
func clampMarginals(p []float64, bounds []Bound) {
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
