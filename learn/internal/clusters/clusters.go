// Package clusters splits rows of a data set into clusters by a mixture in each of whose parts all variables are independent, and whose
// number the likelihood decides. It makes no model.
//
// Source: Gens and Domingos 2013, Learning the structure of sum-product networks, section 4 (EM of a naive Bayes mixture, with a price for
// each cluster).
package clusters

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/pgmc-go/pgmc/learn/internal/trees"
)

const (
	restarts = 4    // random starts of each number of clusters
	rounds   = 50   // most rounds of EM
	settled  = 1e-4 // gain in nats a row at which EM ends
)

// Options say what a cluster has to be worth.
type Options struct {
	Most    int     // clusters
	Penalty float64 // what another cluster must gain for each variable, in nats
	Prior   float64 // rows of pseudo-counts in each distribution
}

// Find splits rows by EM of a naive Bayes mixture, of two clusters and more as long as the likelihood grows by more than the penalty of
// another. It gives the cluster of each row, and how many there are: fewer than two where none is worth it. Where ctx ends before that is
// known, the error says so.
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

// bayes is a mixture in each of whose clusters all variables are independent.
type bayes struct {
	c      *trees.Counts
	prior  float64
	share  [][]float64 // by cluster and row: the part of the row's weight
	part   []*trees.Singles
	weight []float64
}

// newBayes shares rows out at random.
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

// fit runs EM, or some rounds of it where ctx ends, and gives the log-likelihood of all rows.
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

// round is a step of EM; the log-likelihood is that before rows are shared out anew.
func (b *bayes) round() float64 {
	k := len(b.share)
	for j := range b.share {
		b.part[j] = b.c.Singles(b.share[j], b.prior)
		b.weight[j] = math.Log((b.part[j].Total + b.prior) / (b.c.Total + float64(k)*b.prior))
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

// assign gives each row the cluster that has most of it, and numbers those that have any.
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
