package mle

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// leastProbability replaces a number of zero before its logarithm is taken.
const leastProbability = 1e-12

// Logits returns the logarithms of the numbers that are fitted: unconstrained coordinates whose
// softmax, row by row, is the numbers.
func (e *Estimator) Logits(m *model.Model) []float64 {
	var out []float64
	for i := range e.groups {
		g := &e.groups[i]
		numbers := m.Factors[g.factors[0]].Dist.Numbers()
		g.free(func(r int) {
			g.row(r, func(_, at int) { out = append(out, pgmrt.Ln(max(numbers[at], leastProbability))) })
		})
	}
	return out
}

// FromLogits returns the model with the numbers of such coordinates.
func (e *Estimator) FromLogits(m *model.Model, x []float64) *model.Model {
	out := clone(m)
	for i := range e.groups {
		g := &e.groups[i]
		numbers := append([]float64(nil), m.Factors[g.factors[0]].Dist.Numbers()...)
		g.free(func(r int) {
			largest, sum := math.Inf(-1), 0.0
			for _, l := range x[:g.card] {
				largest = max(largest, l)
			}
			for _, l := range x[:g.card] {
				sum += math.Exp(l - largest)
			}
			g.row(r, func(k, at int) { numbers[at] = math.Exp(x[k]-largest) / sum })
			x = x[g.card:]
		})
		g.put(out, numbers)
	}
	return out
}

// Gradient returns the derivative of the log-likelihood plus the penalty by the logits, given
// expected counts under m: n(x) - P(x) Σ n for each row, in which n is the sum of the counts and
// the weights of the penalty.
func (e *Estimator) Gradient(n Counts, m *model.Model) []float64 {
	var out []float64
	for i := range e.groups {
		g := &e.groups[i]
		numbers, counts, weights := m.Factors[g.factors[0]].Dist.Numbers(), g.counts(n, m), e.weights(g)
		g.free(func(r int) {
			sum := 0.0
			g.row(r, func(_, at int) { sum += counts[at] + weights[at] })
			g.row(r, func(_, at int) { out = append(out, counts[at]+weights[at]-numbers[at]*sum) })
		})
	}
	return out
}
