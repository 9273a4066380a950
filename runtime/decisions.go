package pgmrt

import (
	"math"
	"strconv"
)

// NearlyBest is the relative difference below which two utilities count as equal, so that the first
// option wins for any order of the sums.
const NearlyBest = 0x1p-44

// BestOption sets out to the mean utilities of the options of a decision, and returns the option
// with the largest one. The pairs are, for each option, the probability of the evidence, and after
// these for each option that times the mean utility above least.
func BestOption(pairs []float64, least float64, out []float64) (best int) {
	above := 0.0 // of the best option
	for k := range out {
		u := pairs[len(out)+k] / pairs[k]
		if k == 0 || u-above > NearlyBest*(math.Abs(least)+above) {
			best, above = k, u
		}
		out[k] = least + u
	}
	return best
}

// Information returns by how much the mean utility grows if a variable is known before a decision.
// The pairs are those of the decision's options, as for BestOption, and of the variable's states.
func Information(options, states []float64) float64 {
	n, without := len(options)/2, 0.0
	for k := range n {
		without = max(without, options[n+k]/options[k])
	}
	p, u := 0.0, 0.0
	n = len(states) / 2
	for k := range n {
		p, u = p+states[k], u+states[n+k]
	}
	return max(0, u/p-without) // no less than 0 but for rounding
}

// AskedFor is what is wrong with evidence about a decision that is asked for.
const AskedFor = " is the decision that is asked for; want no evidence about it"

// OpenLater is what is wrong with a likelihood of a decision that is not the first open one.
const OpenLater = " is a decision; want a state or no evidence, and no likelihood"

// DependsOn says what is wrong with evidence that depends on an open decision.
func DependsOn(decision string) string {
	return " depends on the decision " + strconv.Quote(decision) + ", which is open; want no evidence about it"
}
