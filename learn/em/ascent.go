package em

import (
	"context"
	"math"
)

// memory is how many steps L-BFGS looks back.
const memory = 10

// sufficient is the part of what the slope promises that a step has to bring (Armijo's rule; the value is that of Nocedal and Wright,
// Numerical Optimization, section 3.1).
const sufficient = 1e-4

// pair is a step and how the gradient changed by it.
type pair struct{ s, y []float64 }

// ascend climbs by L-BFGS with a line search that halves its steps, from the model at hand.
func (c *climb) ascend(ctx context.Context) error {
	point := c.x.est.Logits(c.m)
	gradient := c.x.est.Gradient(c.n, c.m)
	var pairs []pair
	for c.Steps < c.opt.Steps {
		direction := uphill(gradient, pairs)
		slope := dot(direction, gradient)
		if slope <= 0 || math.IsInf(slope, 0) || math.IsNaN(slope) {
			direction, slope, pairs = gradient, dot(gradient, gradient), nil
		}
		was := c.Objective
		next, err := c.line(ctx, point, direction, slope)
		if err != nil {
			return err
		}
		if c.Steps++; next == nil || c.Objective-was <= c.opt.Tolerance*math.Abs(was) {
			c.Converged = true
			return nil
		}
		after := c.x.est.Gradient(c.n, c.m)
		p := pair{minus(next, point), minus(gradient, after)}
		if dot(p.s, p.y) > 1e-10*dot(p.y, p.y) { // else the curvature says nothing
			pairs = append(pairs, p)
			pairs = pairs[max(0, len(pairs)-memory):]
		}
		point, gradient = next, after
	}
	return nil
}

// line looks for a point uphill and goes there; nil where none is higher.
func (c *climb) line(ctx context.Context, point, direction []float64, slope float64) ([]float64, error) {
	const most = 4.0 // no logit moves further in one step: a factor of 50 between two numbers
	length := 1.0
	for _, d := range direction {
		length = min(length, most/math.Abs(d))
	}
	for range 40 {
		next := make([]float64, len(point))
		for i := range next {
			next[i] = point[i] + length*direction[i]
		}
		m := c.x.est.FromLogits(c.m, next)
		n, logP, objective, err := c.at(ctx, m)
		if err != nil {
			return nil, err
		}
		if objective >= c.Objective+sufficient*length*slope {
			c.take(m, n, logP, objective)
			return next, nil
		}
		length /= 2
	}
	return nil, nil
}

// uphill is the gradient times an estimate of the inverse of the curvature: the recursion over two loops of Nocedal 1980.
func uphill(gradient []float64, pairs []pair) []float64 {
	q := append([]float64(nil), gradient...)
	a := make([]float64, len(pairs))
	for i := len(pairs) - 1; i >= 0; i-- {
		p := pairs[i]
		a[i] = dot(p.s, q) / dot(p.s, p.y)
		add(q, -a[i], p.y)
	}
	if len(pairs) > 0 {
		p := pairs[len(pairs)-1]
		scale := dot(p.s, p.y) / dot(p.y, p.y)
		for i := range q {
			q[i] *= scale
		}
	}
	for i, p := range pairs {
		add(q, a[i]-dot(p.y, q)/dot(p.s, p.y), p.s)
	}
	return q
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

func minus(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i, x := range a {
		out[i] = x - b[i]
	}
	return out
}

func add(to []float64, factor float64, x []float64) {
	for i := range to {
		to[i] += factor * x[i]
	}
}
