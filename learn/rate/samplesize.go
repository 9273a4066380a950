package rate

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// SampleSize returns the least number of rows from which the share of an event among the rows is
// within eps of its probability, with probability 1-delta at least, by Hoeffding's bound (Koller
// and Friedman, corollary 17.1).
func SampleSize(eps, delta float64) (rows float64, err error) {
	if err := checkBound(eps, delta); err != nil {
		return 0, err
	}
	return pgmrt.Ln(2/delta) / (2 * eps * eps), nil
}

// NetworkSampleSize returns the number of rows from which the maximum likelihood parameters of the
// structure of m lose at most eps nats for each variable against the best ones, with probability
// 1-delta at least, if no CPD has a smaller probability than the smallest of m (corollary 17.3).
// It is +Inf if a probability of m is 0.
func NetworkSampleSize(m *model.Model, eps, delta float64) (rows float64, err error) {
	if err := checkBound(eps, delta); err != nil {
		return 0, err
	}
	b, err := boundOf(m, delta)
	return b * (1 + eps) * (1 + eps) / (eps * eps), err
}

// NetworkLoss is the inverse of [NetworkSampleSize]: the eps that a number of rows is enough for;
// +Inf if it is enough for none.
func NetworkLoss(m *model.Model, rows, delta float64) (eps float64, err error) {
	if err := checkBound(1, delta); err != nil {
		return 0, err
	}
	b, err := boundOf(m, delta)
	if root := math.Sqrt(rows / b); root > 1 {
		return 1 / (root - 1), err
	}
	return math.Inf(1), err
}

func checkBound(eps, delta float64) error {
	if !(eps > 0) || math.IsInf(eps, 0) || !(delta > 0 && delta < 1) {
		return fmt.Errorf("error %v and probability %v of a larger one; want an error above 0 and a probability between 0 and 1", eps, delta)
	}
	return nil
}

// boundOf returns the factor of corollary 17.3 that does not depend on eps.
func boundOf(m *model.Model, delta float64) (float64, error) {
	least, states, parents := 1.0, 0, 0
	for _, f := range m.Factors {
		t, ok := f.Dist.(*model.Table)
		if !ok || f.Child < 0 || m.Kind != model.Bayes {
			return 0, fmt.Errorf("bounds of the number of rows are for Bayesian networks of tables")
		}
		for _, p := range t.Values {
			least = min(least, p)
		}
		for _, v := range f.Scope {
			states = max(states, m.Card(v))
		}
		parents = max(parents, len(f.Scope)-1)
	}
	d, k, n := float64(parents), float64(states), float64(len(m.Factors))
	return math.Pow(least, -2*(d+1)) / 2 * (pgmrt.Ln(n/delta) + (d+1)*pgmrt.Ln(k)), nil
}
