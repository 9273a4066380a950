package em

import (
	"context"
	"math"

	"github.com/pgmc-go/pgmc/learn/internal/convex"
)

// longest is the most that a logit may move in one step: a factor of e^4, about 50, between two
// numbers.
const longest = 4

// ascend climbs from the current model by L-BFGS in logits.
func (c *climb) ascend(ctx context.Context) error {
	at := evaluation{c.m, c.n, c.LogP, c.Objective}
	var failed error
	x := c.x.est.Logits(c.m)
	begin := true
	m := convex.New(func(x, gradient []float64) float64 {
		if !begin { // the counts of the first point are known
			at, failed = c.at(ctx, c.x.est.FromLogits(c.m, x))
		}
		begin = false
		if failed != nil {
			return math.Inf(1)
		}
		for i, g := range c.x.est.Gradient(at.n, at.m) {
			gradient[i] = -g
		}
		return -at.objective
	}, x, convex.Options{Steps: c.opt.Steps, Tolerance: c.opt.Tolerance, Longest: longest})
	for c.Steps < c.opt.Steps {
		was := c.Objective
		more := m.Next()
		if failed != nil {
			return failed
		}
		if c.Steps++; at.objective > was {
			c.take(at)
		}
		if !more {
			c.Converged = true
			return nil
		}
	}
	return nil
}
