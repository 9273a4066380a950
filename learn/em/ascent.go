package em

import (
	"context"
	"math"

	"github.com/pgmc-go/pgmc/learn/internal/convex"
)

// longest is the most that a logit may move in one step: a factor of e^4, about 50, between two
// numbers.
const longest = 4

// ascend climbs from the current model by L-BFGS in logits. A number of 0 has none, and stays 0, as
// it does in EM. A step of EM comes first, which leaves the numbers of 0 that have pseudo-counts,
// and last: if it gains, L-BFGS has met its limits before a maximum, and begins again from there.
func (c *climb) ascend(ctx context.Context) error {
	for c.Steps < c.opt.Steps {
		was := c.Objective
		next, err := c.step(ctx)
		if err != nil {
			return err
		}
		c.Steps++
		if next.objective > was {
			c.take(next)
		}
		if gain := next.objective - was; gain <= c.opt.Tolerance*max(1, math.Abs(next.objective)) {
			c.Converged = true
			return nil
		}
		if err := c.lbfgs(ctx); err != nil {
			return err
		}
	}
	return nil
}

// lbfgs climbs from the current model until L-BFGS gains no more.
func (c *climb) lbfgs(ctx context.Context) error {
	at := evaluation{c.m, c.n, c.LogP, c.Objective}
	var failed error
	first := c.m
	x := c.x.est.Logits(first)
	begin := true
	m := convex.New(func(x, gradient []float64) float64 {
		if !begin { // the counts of the first point are known
			at, failed = c.at(ctx, c.x.est.FromLogits(first, x))
		}
		begin = false
		if failed != nil {
			return math.Inf(1)
		}
		for i, g := range c.x.est.Gradient(at.n, at.m, first) {
			gradient[i] = -g
		}
		return -at.objective
	}, x, convex.Options{Steps: c.opt.Steps, Tolerance: c.opt.Tolerance, Longest: longest})
	for more := true; more && c.Steps < c.opt.Steps; {
		was := c.Objective
		more = m.Next()
		if failed != nil {
			return failed
		}
		if c.Steps++; at.objective > was {
			c.take(at)
		}
	}
	return nil
}
