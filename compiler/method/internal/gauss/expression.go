package gauss

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Expression adds the expression of d to c and returns its value. value returns the parent at a
// position of the scope, and is 1 if the discrete parent at a position has a state and else 0.
// Unless exact is set, an argument outside the domain of an operation is replaced by the nearest
// one inside, so that all results are finite.
func Expression(c *circuit.Circuit, d *model.Func, value func(axis int) circuit.Node, is func(axis int, state int32) circuit.Node, exact bool) circuit.Node {
	x := expression{c, exact}
	of := make([]circuit.Node, len(d.Nodes))
	for i, n := range d.Nodes {
		switch n.Op {
		case model.FuncNumber:
			of[i] = c.Const(n.Value)
		case model.FuncVar:
			of[i] = value(n.Axis)
		case model.FuncIf:
			of[i] = Or(c, is(n.Axis, n.State), of[n.A], of[n.B])
		default:
			of[i] = x.apply(n.Op, of[n.A], of[n.B])
		}
	}
	return of[len(of)-1]
}

type expression struct {
	*circuit.Circuit
	exact bool
}

// Bounds of arguments: e^700 and 1e-300 are near the limits of a float64.
const (
	mostExponent = 700
	leastLog     = 1e-300
)

func (c expression) atLeast(x float64, n circuit.Node) circuit.Node {
	if c.exact {
		return n
	}
	return c.Max(n, c.Const(x))
}

// apply adds one operation. Operations of one operand ignore b.
func (c expression) apply(op model.FuncOp, a, b circuit.Node) circuit.Node {
	switch op {
	case model.FuncAdd:
		return c.Sum(a, b)
	case model.FuncSub:
		return c.Sub(a, b)
	case model.FuncMul:
		return c.Prod(a, b)
	case model.FuncDiv:
		if c.exact {
			return c.Quot(a, b)
		}
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

func (c expression) unary(op model.FuncOp, a circuit.Node) circuit.Node {
	switch op {
	case model.FuncNeg:
		return c.Neg(a)
	case model.FuncSqrt:
		return c.Sqrt(c.atLeast(0, a))
	case model.FuncExp:
		if !c.exact {
			a = c.Min(a, c.Const(mostExponent))
		}
		return c.Exp(a)
	case model.FuncLog:
		return c.Log(c.atLeast(leastLog, a))
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
func (c expression) power(a, b circuit.Node) circuit.Node {
	if c.Op(b) != circuit.Const {
		return c.Pow(c.atLeast(leastLog, a), b)
	}
	switch n := c.Value(b); {
	case n == .5:
		return c.Sqrt(c.atLeast(0, a))
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
	return c.Pow(c.atLeast(leastLog, a), b)
}
