package score

import (
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/mle"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// counted computes the BIC of a structure from counts of rows as they come.
type counted struct {
	m      *model.Model
	e      *mle.Estimator
	n      mle.Counts
	missed []float64
	weight float64 // of all rows
}

// newCounted returns nil for a model without such a BIC: only Bayesian networks of tables, without
// shared parameters and hidden variables, have one.
func newCounted(m *model.Model) *counted {
	if m.Kind != model.Bayes || len(m.Tied) > 0 {
		return nil
	}
	for _, f := range m.Factors {
		if _, ok := f.Dist.(*model.Table); !ok {
			return nil
		}
	}
	for _, v := range m.Vars {
		if v.Latent {
			return nil
		}
	}
	e, err := mle.New(m, mle.Options{})
	if err != nil {
		return nil
	}
	n, err := e.Zero()
	if err != nil {
		return nil
	}
	return &counted{m: m, e: e, n: n, missed: make([]float64, len(m.Factors))}
}

// add counts a row.
func (c *counted) add(states []int, weight float64) {
	if c != nil {
		c.e.Tally(c.n, states, weight, c.missed)
		c.weight += weight
	}
}

// bic returns the log-likelihood at the parameters that fit the rows best, less half the logarithm
// of the number of rows for each parameter, in nats (Schwarz 1978): the score bic of learners. ok is
// false if a row misses a value.
func (c *counted) bic() (bic float64, ok bool) {
	if c == nil {
		return 0, false
	}
	best := c.e.Fit(c.n, c.m)
	for i, f := range best.Factors {
		if c.missed[i] > 0 {
			return 0, false
		}
		values := f.Dist.(*model.Table).Values
		rows := len(values) / c.m.Card(f.ChildVar())
		bic += c.e.LogLikelihood(i, c.n, best) - pgmrt.Ln(c.weight)/2*float64(len(values)-rows)
	}
	return bic, true
}
