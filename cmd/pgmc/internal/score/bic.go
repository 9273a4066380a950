package score

import (
	"sync/atomic"

	"gonum.org/v1/gonum/floats"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/mle"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// counted computes the BIC of a structure from counts of rows as they come.
type counted struct {
	m     *model.Model
	e     *mle.Estimator
	cores []counts // of rows without weights, whose counts are exact in any order
	all   counts   // of the others
	// misses reports that a row misses a value, so that there is no BIC and no need to count.
	misses atomic.Bool
}

// counts holds the counts of some rows.
type counts struct {
	n      mle.Counts
	missed []float64
	weight float64 // of all rows
}

// newCounted returns nil for a model without such a BIC: only Bayesian networks of tables, without
// shared parameters and hidden variables, have one.
func newCounted(m *model.Model, cores int) *counted {
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
	c := &counted{m: m, e: e, cores: make([]counts, cores)}
	for i := range cores + 1 {
		n, err := e.Zero()
		if err != nil {
			return nil
		}
		c.all = counts{n: n, missed: make([]float64, len(m.Factors))}
		if i < cores {
			c.cores[i] = c.all
		}
	}
	return c
}

// work counts a block without weights on a core, and then counts one with weights, in the order of
// the file.
func (c *counted) work(core int, k *rowfile.Block) {
	if c != nil && k.Weights == nil {
		c.add(&c.cores[core], k)
	}
}

func (c *counted) then(k *rowfile.Block) {
	if c != nil && k.Weights != nil {
		c.add(&c.all, k)
	}
}

func (c *counted) add(to *counts, k *rowfile.Block) {
	if c.misses.Load() {
		return
	}
	c.e.TallyBlock(to.n, k, to.missed)
	if floats.Sum(to.missed) > 0 {
		c.misses.Store(true)
	}
	for row := range k.Rows {
		to.weight += k.Weight(row)
	}
}

// sum returns the counts of all rows.
func (c *counted) sum() *counts {
	whole := &c.cores[0]
	for _, x := range append(c.cores[1:], c.all) {
		c.e.Add(whole.n, x.n)
		floats.Add(whole.missed, x.missed)
		whole.weight += x.weight
	}
	return whole
}

// bic returns the log-likelihood at the parameters that fit the rows best, less half the logarithm
// of the number of rows for each parameter, in nats (Schwarz 1978): the score bic of learners. ok
// is false if a row misses a value.
func (c *counted) bic() (bic float64, ok bool) {
	if c == nil {
		return 0, false
	}
	sum := c.sum()
	best := c.e.Fit(sum.n, c.m)
	for i, f := range best.Factors {
		if sum.missed[i] > 0 {
			return 0, false
		}
		values := f.Dist.(*model.Table).Values
		rows := len(values) / c.m.Card(f.ChildVar())
		bic += c.e.LogLikelihood(i, sum.n, best) - pgmrt.Ln(sum.weight)/2*float64(len(values)-rows)
	}
	return bic, true
}
