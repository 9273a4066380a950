package em

import (
	"context"
	"math"
	"slices"

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
		if _, err := c.lbfgs(ctx); err != nil {
			return err
		}
	}
	return nil
}

// lbfgs climbs from the current model until L-BFGS gains no more, or there are no more steps: more
// is then true.
func (c *climb) lbfgs(ctx context.Context) (more bool, err error) {
	at := c.evaluation
	var failed error
	first := c.m
	x := c.x.by.Logits(first)
	begin := true
	o := convex.Options{Steps: c.opt.Steps, Tolerance: c.opt.Tolerance, Longest: longest}
	if c.opt.L1 > 0 {
		o.L1 = slices.Repeat([]float64{c.opt.L1}, len(x))
	}
	m := convex.New(func(x, gradient []float64) float64 {
		l1, l2 := c.opt.penalties(x)
		if !begin { // the counts of the first point are known
			at, failed = c.at(ctx, c.x.by.FromLogits(first, x))
			at.objective -= l1 + l2
		}
		begin = false
		if failed != nil {
			return math.Inf(1)
		}
		at.point = slices.Clone(x)
		for i, g := range c.x.gradient(&at, first) {
			if gradient[i] = -g; l2 > 0 {
				gradient[i] += c.opt.L2 * x[i]
			}
		}
		return -at.objective - l1 // convex adds l1
	}, x, o)
	for more = true; more && c.Steps < c.opt.Steps; {
		was := c.Objective
		more = m.Next()
		if failed != nil {
			return false, failed
		}
		if c.Steps++; at.objective > was {
			c.take(at)
		}
	}
	return more, nil
}

// penalties returns the penalties of coordinates.
func (o *RunOptions) penalties(x []float64) (l1, l2 float64) {
	if o.L1 == 0 && o.L2 == 0 {
		return 0, 0
	}
	for _, w := range x {
		l1 += o.L1 * math.Abs(w)
		l2 += o.L2 / 2 * w * w
	}
	return l1, l2
}
