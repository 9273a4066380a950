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

// AskedFor is what is wrong with evidence about a decision that is asked for.
const AskedFor = " is the decision that is asked for; want no evidence about it"

// OpenLater is what is wrong with a likelihood of a decision that is not the first open one.
const OpenLater = " is a decision; want a state or no evidence, and no likelihood"

// DependsOn says what is wrong with evidence that depends on an open decision.
func DependsOn(decision string) string {
	return " depends on the decision " + strconv.Quote(decision) + ", which is open; want no evidence about it"
}
