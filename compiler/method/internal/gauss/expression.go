package gauss

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Expression adds the expression of d to c and returns its value. The function value returns the
// parent at a position of the scope, and is returns 1 if the discrete parent at a position has a
// state and else 0. An argument outside the domain of an operation is replaced by a near one
// inside, so that all numbers are finite; defined is then 0, and else 1.
func Expression(c *circuit.Circuit, d *model.Func, value func(axis int) circuit.Node, is func(axis int, state int32) circuit.Node) (result, defined circuit.Node) {
	of, ok := make([]circuit.Node, len(d.Nodes)), make([]circuit.Node, len(d.Nodes))
	for i, n := range d.Nodes {
		x := expression{c, circuit.One}
		switch n.Op {
		case model.FuncNumber:
			of[i] = c.Const(n.Value)
		case model.FuncVar:
			of[i] = value(n.Axis)
		case model.FuncIf:
			one := is(n.Axis, n.State)
			of[i] = Or(c, one, of[n.A], of[n.B])
			x.defined = Or(c, one, ok[n.A], ok[n.B])
		case model.FuncMap:
			of[i], x.defined = Look(c, n.Map, of[n.A], of[n.B]), c.Prod(ok[n.A], ok[n.B])
		default:
			x.defined = ok[n.A]
			if n.Op.Binary() {
				x.defined = c.Prod(x.defined, ok[n.B])
			}
			of[i] = x.apply(n.Op, of[n.A], of[n.B])
		}
		ok[i] = x.defined
	}
	return of[len(of)-1], ok[len(ok)-1]
}

// expression adds one operation.
type expression struct {
	*circuit.Circuit
	defined circuit.Node
}

// Bounds of arguments: e^700 and 1e-300 are near the limits of a float64.
const (
	mostExponent = 700
	leastLog     = 1e-300
)

// above returns n, or least if n is not above 0, where the operation is not defined.
func (c *expression) above(least float64, n circuit.Node) circuit.Node {
	c.defined = c.Prod(c.defined, Positive(c.Circuit, n))
	return c.Max(n, c.Const(least))
}

// apply adds one operation. Operations of one operand ignore b.
func (c *expression) apply(op model.FuncOp, a, b circuit.Node) circuit.Node {
	switch op {
	case model.FuncAdd:
		return c.Sum(a, b)
	case model.FuncSub:
		return c.Sub(a, b)
	case model.FuncMul:
		return c.Prod(a, b)
	case model.FuncDiv:
		c.defined = c.Prod(c.defined, c.Ratio(b, b))
		return c.Ratio(a, b)
	case model.FuncPow:
		return c.power(a, b)
	case model.FuncMin:
		return c.Min(a, b)
	case model.FuncMax:
		return c.Max(a, b)
	case model.FuncAtan2:
		return c.Atan2(a, b)
	}
	return c.unary(op, a)
}

// root returns the square root of a.
func (c *expression) root(a circuit.Node) circuit.Node {
	below := Positive(c.Circuit, c.Neg(a))
	c.defined = c.Prod(c.defined, c.Sub(circuit.One, below))
	return c.Sqrt(c.Max(a, circuit.Zero))
}

func (c *expression) unary(op model.FuncOp, a circuit.Node) circuit.Node {
	switch op {
	case model.FuncNeg:
		return c.Neg(a)
	case model.FuncSqrt:
		return c.root(a)
	case model.FuncExp:
		return c.Exp(c.Min(a, c.Const(mostExponent)))
	case model.FuncLog:
		return c.Log(c.above(leastLog, a))
	case model.FuncSin:
		return c.Sin(a)
	case model.FuncCos:
		return c.Cos(a)
	case model.FuncTan:
		return c.Quot(c.Sin(a), c.Cos(a))
	case model.FuncTanh:
		return c.Tanh(a)
	case model.FuncAbs:
		return c.Max(a, c.Neg(a))
	}
	panic("gauss: unknown operation of an expression")
}

// maxProduct is the largest whole exponent for which a power is a product.
const maxProduct = 16

// power returns a to the power of b.
func (c *expression) power(a, b circuit.Node) circuit.Node {
	if c.Op(b) != circuit.Const {
		return c.Pow(c.above(leastLog, a), b)
	}
	switch n := c.Value(b); {
	case n == .5:
		return c.root(a)
	case n == math.Trunc(n) && math.Abs(n) <= maxProduct:
		x := circuit.One
		for range int(math.Abs(n)) {
			x = c.Prod(x, a)
		}
		if n >= 0 {
			return x
		}
		return c.apply(model.FuncDiv, circuit.One, x)
	}
	return c.Pow(c.above(leastLog, a), b)
}
