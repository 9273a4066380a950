package learnspn

import (
	"context"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/learn/clusters"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/spn"
	"github.com/pgmc-go/pgmc/learn/trees"
)

// splitter makes the network of one try.
type splitter struct {
	*instance
	t     try
	ctx   context.Context
	train *data.Set
	n     *spn.Network
	seed  uint64
	sums  uint64 // so far
}

// split adds a network of some variables for some rows.
func (s *splitter) split(rows []int32, vars []int) spn.Block {
	x, err := trees.NewIndex(s.train, rows, vars)
	if err != nil {
		panic("learnspn: " + err.Error()) // the index of all rows and variables was not too large
	}
	c := x.Count(nil)
	if len(vars) == 1 || c.Total < s.minRows || s.ctx.Err() != nil {
		return s.leaves(c)
	}
	if groups := s.groups(c); len(groups) > 1 {
		var args []spn.Block
		for _, g := range groups {
			args = append(args, s.split(rows, g))
		}
		return s.n.Product(args...)
	}
	s.sums++
	cluster, k := s.clusters(c, rand.New(rand.NewPCG(s.seed, s.sums)))
	if k < 2 {
		return s.leaves(c)
	}
	parts, weights := make([][]int32, k), make([]float64, k)
	for i, row := range rows {
		parts[cluster[i]] = append(parts[cluster[i]], row)
		weights[cluster[i]] += s.train.Weight(int(row)) / c.Total
	}
	var args []spn.Block
	for _, p := range parts {
		args = append(args, s.split(p, vars))
	}
	return s.n.Sum(weights, args...)
}

// clusters gives the cluster of each row.
func (s *splitter) clusters(c *trees.Counts, rng *rand.Rand) ([]int, int) {
	return clusters.Options{Most: s.instance.clusters, Penalty: s.t.penalty, Prior: s.prior}.Find(c, rng)
}

// leaves is the product of smoothed distributions of all variables.
func (s *splitter) leaves(c *trees.Counts) spn.Block {
	var args []spn.Block
	for i, v := range c.Vars {
		args = append(args, s.n.Leaf(v, c.Table(i, -1, s.prior)))
	}
	return s.n.Product(args...)
}

// groups are the variables of each component of the graph of dependent pairs.
func (s *splitter) groups(c *trees.Counts) [][]int {
	return c.Components(func(i, j int) bool { return c.Dependent(i, j, s.t.alpha) })
}
