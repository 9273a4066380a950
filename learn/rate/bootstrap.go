package rate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
)

// ErrNoNetwork is the error of [Bootstrap] if the learned model has no edges to count: it is no
// Bayesian network of independent rows.
var ErrNoNetwork = errors.New("the learned model is no Bayesian network of independent rows")

// Bootstrap tells how much of a structure is due to the rows that happen to be there. It draws as
// many rows as there are, each any of them, and calls learn with them, as often as samples says. It
// returns, by child and parent, the share of the learned networks that have the edge. Of an edge
// that the networks of the same class have in both directions, half counts for each, so that the
// two shares of a pair add up to how often the variables are neighbours. The seed draws the rows.
//
// Source: Friedman, Goldszmidt and Wyner, Data Analysis with Bayesian Networks: A Bootstrap
// Approach, UAI 1999.
func Bootstrap(ctx context.Context, rows *data.Set, samples int, seed uint64,
	learn func(ctx context.Context, train *data.Set) (*model.Model, error)) (shares [][]float64, err error) {
	n := len(rows.Vars)
	shares = make([][]float64, n)
	for x := range shares {
		shares[x] = make([]float64, n)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	list := make([]int, rows.Len())
	for k := range samples {
		for i := range list {
			list[i] = rng.IntN(len(list))
		}
		m, err := learn(ctx, rows.Subset(list))
		switch {
		case err != nil:
			return nil, fmt.Errorf("sample %d of the rows: %w", k+1, err)
		case m.Kind != model.Bayes || m.Transition != nil:
			return nil, ErrNoNetwork
		}
		class := graph.Of(data.Parents(m, rows.Vars))
		for x := range n {
			for u := range n {
				switch {
				case class.Directed(u, x):
					shares[x][u]++
				case class.Adjacent(u, x) && !class.Directed(x, u):
					shares[x][u] += .5
				}
			}
		}
	}
	for _, of := range shares {
		for u := range of {
			of[u] /= float64(samples)
		}
	}
	return shares, nil
}
