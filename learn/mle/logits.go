package mle

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Logits returns the logarithms of the numbers that are fitted and are not 0: unconstrained
// coordinates with the numbers as softmax, row by row. Coordinates of Gaussian CPDs follow.
func (e *Estimator) Logits(m *model.Model) []float64 {
	var out []float64
	for i := range e.groups {
		g := &e.groups[i]
		g.positive(m, func(numbers []float64, row []int) {
			for _, at := range row {
				out = append(out, pgmrt.Ln(numbers[at]))
			}
		})
	}
	for i := range e.sets {
		out = e.realLogits(&e.sets[i], m, out)
	}
	return out
}

// positive calls do with the numbers of a group and the places of a row's numbers that are not 0,
// for each row that is fitted.
func (g *group) positive(m *model.Model, do func(numbers []float64, row []int)) {
	numbers := m.Factors[g.factors[0]].Dist.Numbers()
	row := make([]int, 0, g.card)
	g.free(func(r int) {
		row = row[:0]
		g.row(r, func(_, at int) {
			if numbers[at] > 0 {
				row = append(row, at)
			}
		})
		do(numbers, row)
	})
}

// Row is a row of numbers that are fitted, without those of 0.
type Row struct {
	Factor int       // the first of the factors that have it
	Index  int       // its number in their CPDs
	P      []float64 // the numbers
}

// Rows returns the rows of the numbers in [Estimator.Logits], in the same order.
func (e *Estimator) Rows(m *model.Model) (list []Row) {
	for i := range e.groups {
		g := &e.groups[i]
		var index []int
		g.free(func(r int) { index = append(index, r) })
		g.positive(m, func(numbers []float64, row []int) {
			x := Row{Factor: g.factors[0], Index: index[0]}
			index = index[1:]
			for _, at := range row {
				x.P = append(x.P, numbers[at])
			}
			list = append(list, x)
		})
	}
	return list
}

// RowCounts returns, for each number in [Estimator.Logits] of m, the sum of the counts of its row.
func (e *Estimator) RowCounts(n Counts, m *model.Model) (out []float64) {
	for i := range e.groups {
		g := &e.groups[i]
		counts := g.counts(n, m)
		g.positive(m, func(_ []float64, row []int) {
			sum := 0.0
			for _, at := range row {
				sum += counts[at]
			}
			for range row {
				out = append(out, sum)
			}
		})
	}
	return out
}

// FromLogits returns the model with the numbers of such coordinates of m.
func (e *Estimator) FromLogits(m *model.Model, x []float64) *model.Model {
	out := clone(m)
	for i := range e.groups {
		g := &e.groups[i]
		fitted := slices.Clone(m.Factors[g.factors[0]].Dist.Numbers())
		g.positive(m, func(_ []float64, row []int) {
			largest, sum := slices.Max(x[:len(row)]), 0.0
			for _, l := range x[:len(row)] {
				sum += math.Exp(l - largest)
			}
			for k, at := range row {
				fitted[at] = math.Exp(x[k]-largest) / sum
			}
			x = x[len(row):]
		})
		g.put(out, fitted)
	}
	for i := range e.sets {
		x = e.fromRealLogits(&e.sets[i], m, out, x)
	}
	return out
}

// Gradient returns the derivative of the log-likelihood plus the penalty by the logits of first,
// given expected counts under m: n(x) - P(x) Σ n for each row, in which n is the sum of the counts
// and the weights of the penalty.
func (e *Estimator) Gradient(n Counts, m, first *model.Model) []float64 {
	var out []float64
	for i := range e.groups {
		g := &e.groups[i]
		numbers, counts, weights := m.Factors[g.factors[0]].Dist.Numbers(), g.counts(n, m), e.weights(g)
		g.positive(first, func(_ []float64, row []int) {
			sum := 0.0
			for _, at := range row {
				sum += counts[at] + weights[at]
			}
			for _, at := range row {
				out = append(out, counts[at]+weights[at]-numbers[at]*sum)
			}
		})
	}
	for i := range e.sets {
		out = e.realGradient(&e.sets[i], n, m, out)
	}
	return out
}
