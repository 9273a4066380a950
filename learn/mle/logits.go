package mle

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
)

// leastProbability stands for a number of zero where its logarithm is wanted.
const leastProbability = 1e-12

// Logits are the logarithms of the numbers that are fitted: coordinates without constraints, of which rows of numbers are the
// normalised exponentials.
func (e *Estimator) Logits(m *model.Model) []float64 {
	var out []float64
	for i := range e.groups {
		g := &e.groups[i]
		numbers := m.Factors[g.factors[0]].Dist.Numbers()
		g.free(func(r int) {
			g.row(r, func(_, at int) { out = append(out, math.Log(max(numbers[at], leastProbability))) })
		})
	}
	return out
}

// FromLogits gives m the numbers of such coordinates.
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

// Gradient is the derivative of the log-likelihood and the penalty by the logits, given expected counts under m: with n for the
// counts of a row and the weights of the penalty together, n(x) less P(x) times their sum.
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
