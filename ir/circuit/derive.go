package circuit

import "math"

// Derive adds the derivatives of root by the nodes wanted and returns them. The derivative by a
// node is the sum, over its users, of the derivative by the user times the other operand. The nodes
// of root must have no maxima unless c is signed; then the derivative of a maximum or minimum is
// the derivative of the operand that it equals. Unless it is nil, input is called for each input
// with the derivatives by node so far; the derivatives by the input and all later nodes are
// complete. It may add to the derivatives by earlier nodes.
//
// Source: Darwiche 2003, section 5.
func (c *Circuit) Derive(root Node, wanted []Node, input func(n Node, d []Node)) []Node {
	d := make([]Node, root+1) // Zero if there is no term yet
	d[root] = One
	for n := root; n > One; n-- {
		switch at := d[n]; c.Op(n) {
		case Sum:
			a, b := c.Args(n)
			d[a] = c.Sum(d[a], at)
			d[b] = c.Sum(d[b], at)
		case Prod:
			a, b := c.Args(n)
			d[a] = c.Sum(d[a], c.Prod(at, b))
			d[b] = c.Sum(d[b], c.Prod(at, a))
		case Max, Min, Sub, Quot, Ratio, Pow, Atan2, Sqrt, Exp, Log, Sin, Cos, Tanh:
			c.deriveSigned(n, d)
		case Input:
			if input != nil {
				input(n, d)
			}
		}
	}
	out := make([]Node, len(wanted))
	for i, n := range wanted {
		if n <= root {
			out[i] = d[n]
		}
	}
	return out
}

// deriveSigned adds the contribution of the user n, an operation of signed circuits, to the
// derivatives d by its operands.
func (c *Circuit) deriveSigned(n Node, d []Node) {
	at := d[n]
	if at == Zero || !c.signed {
		return
	}
	a, b := c.Args(n)
	if op := c.Op(n); a == b && (op == Quot || op == Ratio) {
		return // 1, or 0 for a ratio of zeros
	}
	switch op := c.Op(n); op {
	case Max, Min:
		above := c.Max(c.Sub(a, b), Zero)
		if op == Min {
			above = c.Max(c.Sub(b, a), Zero)
		}
		first := c.Prod(at, c.Ratio(above, above))
		d[a], d[b] = c.Sum(d[a], first), c.Sum(d[b], c.Sub(at, first))
	case Sub:
		d[a], d[b] = c.Sum(d[a], at), c.Sub(d[b], at)
	case Quot, Ratio:
		by := c.quotient(op, at, b)
		d[a], d[b] = c.Sum(d[a], by), c.Sub(d[b], c.Prod(by, n))
	case Pow: // by the exponent: a^b ln a, for a > 0
		d[a] = c.Sum(d[a], c.Prod(at, c.Prod(b, c.Pow(a, c.Sub(b, One)))))
		if c.Op(b) != Const {
			d[b] = c.Sum(d[b], c.Prod(at, c.Prod(n, c.Log(a))))
		}
	case Atan2:
		by := c.Ratio(at, c.Sum(c.Prod(a, a), c.Prod(b, b)))
		d[a], d[b] = c.Sum(d[a], c.Prod(by, b)), c.Sub(d[b], c.Prod(by, a))
	default:
		d[a] = c.Sum(d[a], c.slope(n, at))
	}
}

// slope returns at times the derivative of n, a unary operation.
func (c *Circuit) slope(n, at Node) Node {
	a, _ := c.Args(n)
	switch c.Op(n) {
	case Sqrt:
		return c.Ratio(c.Prod(c.Const(.5), at), n)
	case Exp:
		return c.Prod(at, n)
	case Sin:
		return c.Prod(at, c.Cos(a))
	case Cos:
		return c.Neg(c.Prod(at, c.Sin(a)))
	case Tanh:
		return c.Prod(at, c.Sub(One, c.Prod(n, n)))
	}
	return c.Quot(at, a) // Log
}

// Underflow bounds the error that products below the least number of a float64 cause in any of the
// given nodes, for inputs from 0 to those that most returns. The unit is that number, 2^-1074. The
// bound is infinite, or NaN, if numbers may also be too large.
func (c *Circuit) Underflow(of []Node, most func(leaf int32) float64) float64 {
	value := c.Eval(most)
	slope := make([]float64, len(value)) // by node: bounds the sum of the derivatives by it
	for _, n := range of {
		slope[n]++
	}
	bound := 0.0
	for n := Node(len(value) - 1); n > One; n-- {
		if math.IsInf(value[n], 1) {
			return value[n]
		}
		by := slope[n]
		switch c.Op(n) {
		case Sum:
			a, b := c.Args(n)
			slope[a] += by
			slope[b] += by
		case Prod:
			a, b := c.Args(n)
			bound += by // each product is rounded by at most half a unit
			slope[a] += by * value[b]
			slope[b] += by * value[a]
		}
	}
	return bound / 2
}
