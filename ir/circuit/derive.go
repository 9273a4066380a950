package circuit

import "math"

// Derive adds the derivatives of root by the nodes wanted and returns them. The derivative by a
// node is the sum, over its users, of the derivative by the user times the other operand. The nodes
// of root must have no maxima and minima. Unless it is nil, input is called for each input with the
// derivatives by node so far, of which those by the input and all later nodes are complete. It may
// add to the derivatives by earlier nodes.
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
		case Sub, Quot, Ratio, Sqrt, Exp, Log:
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

// deriveSigned adds what the user n, an operation of signed circuits, contributes to the
// derivatives d by its operands.
func (c *Circuit) deriveSigned(n Node, d []Node) {
	at := d[n]
	if at == Zero {
		return
	}
	a, b := c.Args(n)
	switch op := c.Op(n); op {
	case Sub:
		d[a], d[b] = c.Sum(d[a], at), c.Sub(d[b], at)
	case Quot, Ratio:
		by := c.quotient(op, at, b)
		d[a], d[b] = c.Sum(d[a], by), c.Sub(d[b], c.Prod(by, n))
	case Sqrt:
		d[a] = c.Sum(d[a], c.Ratio(c.Prod(c.Const(.5), at), n))
	case Exp:
		d[a] = c.Sum(d[a], c.Prod(at, n))
	case Log:
		d[a] = c.Sum(d[a], c.Quot(at, a))
	}
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
