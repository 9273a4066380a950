package learnspn

import (
	"context"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/clusters"
	"github.com/pgmc-go/pgmc/learn/internal/spn"
	"github.com/pgmc-go/pgmc/learn/internal/trees"
)

// splitter learns the network of one try.
type splitter struct {
	*Options
	t     try
	ctx   context.Context
	train *data.Set
	n     *spn.Network
	seed  uint64
	sums  uint64 // number of sums so far

	history *history
	number  int // number of the try
}

// split adds a network of some variables for some rows.
func (s *splitter) split(rows []int32, vars []int) spn.Block {
	x, err := trees.NewIndex(s.train, rows, vars)
	if err != nil {
		panic("learnspn: " + err.Error()) // the index of all rows and variables was not too large
	}
	c := x.Count(nil)
	if len(vars) == 1 || c.Total < s.MinRows {
		return s.leaves(c)
	}
	cut, ok := s.history.Replay(s.number)
	if !ok {
		if cut, err = s.cut(c); err != nil { // the time has ended
			return s.leaves(c)
		}
		s.history.Add(s.number, cut)
	} else if err := cut.check(rows, vars); err != nil {
		s.history.Reject(err)
		return s.leaves(c)
	}
	var args []spn.Block
	if cut.Groups != nil {
		for _, g := range cut.Groups {
			args = append(args, s.split(rows, g))
		}
		return s.n.Product(args...)
	}
	s.sums++
	if cut.Clusters == nil {
		return s.leaves(c)
	}
	parts, weights := cut.parts(rows), []float64{}
	for _, p := range parts {
		weight := 0.0
		for _, row := range p {
			weight += s.train.Weight(int(row)) / c.Total
		}
		weights = append(weights, weight)
		args = append(args, s.split(p, vars))
	}
	return s.n.Sum(weights, args...)
}

// cut decides how to split: by columns if that is possible. The error is the context's, if it ended
// first.
func (s *splitter) cut(c *trees.Counts) (x cut, err error) {
	if err := s.ctx.Err(); err != nil {
		return x, err
	}
	if groups := s.groups(c); len(groups) > 1 {
		x.Groups = groups
		return x, nil
	}
	list, k, err := clusters.Options{Most: s.Clusters, Penalty: s.t.penalty, Prior: s.Pseudo}.Find(s.ctx, c, rand.New(rand.NewPCG(s.seed, s.sums+1)))
	if err != nil || k < 2 {
		return x, err
	}
	for _, i := range list {
		x.Clusters = append(x.Clusters, byte(i))
	}
	return x, nil
}

// leaves returns the product of smoothed distributions of all variables.
func (s *splitter) leaves(c *trees.Counts) spn.Block {
	var args []spn.Block
	for i, v := range c.Vars {
		args = append(args, s.n.Leaf(v, c.Table(i, -1, s.Pseudo)))
	}
	return s.n.Product(args...)
}

// groups returns the connected components of the graph of dependent pairs.
func (s *splitter) groups(c *trees.Counts) [][]int {
	return c.Components(func(i, j int) bool { return c.Dependent(i, j, s.t.alpha) })
}
