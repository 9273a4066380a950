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

// Moments are the mean and the variance of a utility.
type Moments struct {
	Mean     float64 `json:"mean"`
	Variance float64 `json:"variance"`
}

// TableMoments returns the moments of numbers with the given probabilities. They are exact if only
// one number is possible.
func TableMoments(probabilities, numbers []float64) (m Moments) {
	first := 0
	for first < len(numbers)-1 && probabilities[first] == 0 {
		first++
	}
	above := 0.0 // of the mean above the first possible number
	for k, p := range probabilities {
		above += float64(p * (numbers[k] - numbers[first]))
	}
	m.Mean = numbers[first] + above
	for k, p := range probabilities {
		d := numbers[k] - m.Mean
		m.Variance += float64(p * float64(d*d))
	}
	return m
}

// nearlySure is the part of a mean square below which a variance counts as 0, since the difference
// that it is may be rounding.
const nearlySure = 0x1p-46

// SumMoments returns the moments of least + scale·x. The powers are a probability, and that times
// the means of x and of its square.
func SumMoments(powers []float64, least, scale float64) Moments {
	x, square := powers[1]/powers[0], powers[2]/powers[0]
	variance := square - float64(x*x)
	if variance < square*nearlySure {
		variance = 0
	}
	return Moments{least + float64(scale*x), float64(variance*scale) * scale}
}

// AskedFor is what is wrong with evidence about a decision that is asked for.
const AskedFor = " is the decision that is asked for; want no evidence about it"

// OpenLater is what is wrong with a likelihood of a decision that is not the first open one.
const OpenLater = " is a decision; want a state or no evidence, and no likelihood"

// DependsOn says what is wrong with evidence that depends on an open decision.
func DependsOn(decision string) string {
	return " depends on the decision " + strconv.Quote(decision) + ", which is open; want no evidence about it"
}
