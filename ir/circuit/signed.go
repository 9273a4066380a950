package circuit

import "math"

// Apply returns the node of an operation on a and b. A unary operation ignores b. Circuits that are
// not signed have only sums, products and maxima.
func (c *Circuit) Apply(op Op, a, b Node) Node {
	switch op {
	case Sum:
		return c.Sum(a, b)
	case Prod:
		return c.Prod(a, b)
	case Max:
		return c.Max(a, b)
	case Min:
		return c.Min(a, b)
	case Sub:
		return c.Sub(a, b)
	case Quot:
		return c.Quot(a, b)
	case Ratio:
		return c.Ratio(a, b)
	case Pow, Atan2:
		return c.ordered(op, a, b)
	}
	return c.unary(op, a)
}

// Min returns the smaller of a and b.
func (c *Circuit) Min(a, b Node) Node {
	switch {
	case a == b:
		return a
	case c.constants(a, b):
		return c.Const(min(c.Value(a), c.Value(b)))
	}
	return c.binary(Min, a, b)
}

// Sub returns a - b.
func (c *Circuit) Sub(a, b Node) Node {
	switch {
	case b == Zero:
		return a
	case a == b:
		return Zero
	case c.constants(a, b):
		return c.Const(c.Value(a) - c.Value(b))
	}
	return c.intern(node{a: int32(a), b: int32(b), op: Sub})
}

// Neg returns -a.
func (c *Circuit) Neg(a Node) Node { return c.Sub(Zero, a) }

// Quot returns a / b. The caller knows that b is not 0 when the circuit is evaluated.
func (c *Circuit) Quot(a, b Node) Node { return c.quotient(Quot, a, b) }

// Ratio returns a / b, and 0 if b is 0.
func (c *Circuit) Ratio(a, b Node) Node {
	if b == Zero {
		return Zero
	}
	return c.quotient(Ratio, a, b)
}

func (c *Circuit) quotient(op Op, a, b Node) Node {
	switch {
	case a == Zero, b == One:
		return a
	case c.constants(a, b) && b != Zero:
		return c.Const(c.Value(a) / c.Value(b))
	}
	return c.intern(node{a: int32(a), b: int32(b), op: op})
}

// Pow returns a to the power of b.
func (c *Circuit) Pow(a, b Node) Node { return c.ordered(Pow, a, b) }

// Atan2 returns the angle of the point (b, a).
func (c *Circuit) Atan2(a, b Node) Node { return c.ordered(Atan2, a, b) }

// ordered returns an operation with operands that keep their order. It folds constants if the
// result is finite.
func (c *Circuit) ordered(op Op, a, b Node) Node {
	if c.constants(a, b) {
		if x := op.Of(c.Value(a), c.Value(b)); !math.IsNaN(x) && !math.IsInf(x, 0) {
			return c.Const(x)
		}
	}
	return c.intern(node{a: int32(a), b: int32(b), op: op})
}

// Sqrt returns the square root of a.
func (c *Circuit) Sqrt(a Node) Node { return c.unary(Sqrt, a) }

// Exp returns e to the power of a.
func (c *Circuit) Exp(a Node) Node { return c.unary(Exp, a) }

// Log returns the natural logarithm of a.
func (c *Circuit) Log(a Node) Node { return c.unary(Log, a) }

// Sin returns the sine of a, in radians.
func (c *Circuit) Sin(a Node) Node { return c.unary(Sin, a) }

// Cos returns the cosine of a, in radians.
func (c *Circuit) Cos(a Node) Node { return c.unary(Cos, a) }

// Tanh returns the hyperbolic tangent of a.
func (c *Circuit) Tanh(a Node) Node { return c.unary(Tanh, a) }

// unary does not fold a logarithm of 0, which is not finite.
func (c *Circuit) unary(op Op, a Node) Node {
	if c.Op(a) == Const && (op != Log || c.Value(a) > 0) {
		return c.Const(op.Of(c.Value(a), 1))
	}
	return c.intern(node{a: int32(a), b: int32(One), op: op})
}
