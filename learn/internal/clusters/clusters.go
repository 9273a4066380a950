// Package clusters splits the rows of a data set into clusters by EM of a mixture of components in
// which all variables are independent. The penalised likelihood chooses the number of clusters. It
// builds no model.
//
// Source: Gens and Domingos 2013, Learning the structure of sum-product networks, section 4 (EM of
// a naive Bayes mixture, with a penalty for each cluster).
package clusters

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/pgmc-go/pgmc/learn/internal/trees"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

const (
	restarts = 4    // random starts for each number of clusters
	rounds   = 50   // most rounds of EM
	settled  = 1e-4 // gain in nats per row at which EM ends
)

// Options bound the number of clusters and set the gain that a further cluster needs.
type Options struct {
	Most    int     // most clusters
	Penalty float64 // the log-likelihood, in nats, by which a further cluster must improve, for each variable
	Prior   float64 // total pseudo-count of each distribution
}

// Find splits rows by EM of a naive Bayes mixture. It tries two clusters, then more as long as the
// log-likelihood grows by more than the penalty of one more. It returns the cluster of each row and
// the number of clusters, which is below two if no split pays. It returns an error if ctx ends
// before that is known.
func (o Options) Find(ctx context.Context, c *trees.Counts, rng *rand.Rand) (best []int, clusters int, err error) {
	price := o.Penalty * float64(len(c.Vars))
	score := newBayes(c, 1, o.Prior, nil).fit(ctx) - price
	for k := 2; k <= o.Most; k++ {
		better := false
		for range restarts {
			b := newBayes(c, k, o.Prior, rng)
			x := b.fit(ctx) - price*float64(k)
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
			if x > score {
				if list, n := b.assign(); n > 1 {
					score, best, clusters, better = x, list, n, true
				}
			}
		}
		if !better {
			break
		}
	}
	return best, clusters, ctx.Err()
}

// bayes is a mixture of clusters in which all variables are independent.
type bayes struct {
	c      *trees.Counts
	prior  float64
	share  [][]float64 // by cluster and row: the row's weight times the cluster's posterior probability
	part   []*trees.Singles
	weight []float64
}

// newBayes starts from random responsibilities.
func newBayes(c *trees.Counts, k int, prior float64, rng *rand.Rand) *bayes {
	b := &bayes{c: c, prior: prior, weight: make([]float64, k), part: make([]*trees.Singles, k)}
	for range k {
		b.share = append(b.share, make([]float64, len(c.Rows)))
	}
	for i, row := range c.Rows {
		w, at := c.Set.Weight(int(row)), 0
		if k > 1 {
			at = rng.IntN(k)
		}
		b.share[at][i] = w
	}
	return b
}

// fit runs EM until it settles or ctx ends, and returns the log-likelihood of all rows.
func (b *bayes) fit(ctx context.Context) float64 {
	last := math.Inf(-1)
	for range rounds {
		if ctx.Err() != nil {
			break
		}
		now := b.round()
		if now-last <= settled*b.c.Total {
			return now
		}
		last = now
	}
	return last
}

// round runs one step of EM. It returns the log-likelihood before the E step.
func (b *bayes) round() float64 {
	k := len(b.share)
	for j := range b.share {
		b.part[j] = b.c.Singles(b.share[j], b.prior)
		b.weight[j] = pgmrt.Ln((b.part[j].Total + b.prior) / (b.c.Total + float64(k)*b.prior))
	}
	total, term := 0.0, make([]float64, k)
	for i, row := range b.c.Rows {
		for j := range term {
			term[j] = b.weight[j] + b.part[j].LogProb(i)
		}
		sum, w := floats.LogSumExp(term), b.c.Set.Weight(int(row))
		total += w * sum
		for j := range term {
			b.share[j][i] = w * math.Exp(term[j]-sum)
		}
	}
	return total
}

// assign assigns each row to its most probable cluster and numbers the clusters that have rows.
func (b *bayes) assign() (list []int, n int) {
	number := make([]int, len(b.share))
	for i := range b.c.Rows {
		best := 0
		for j := range b.share {
			if b.share[j][i] > b.share[best][i] {
				best = j
			}
		}
		if number[best] == 0 {
			n++
			number[best] = n
		}
		list = append(list, number[best]-1)
	}
	return list, n
}
