package circuit

// Apply returns the node of an operation on a and b. A unary operation ignores b. Circuits that are
// not signed have sums, products and maxima alone.
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

// Sqrt returns the square root of a.
func (c *Circuit) Sqrt(a Node) Node { return c.unary(Sqrt, a) }

// Exp returns e to the power of a.
func (c *Circuit) Exp(a Node) Node { return c.unary(Exp, a) }

// Log returns the natural logarithm of a.
func (c *Circuit) Log(a Node) Node { return c.unary(Log, a) }

// unary does not fold a logarithm of 0, which is not finite.
func (c *Circuit) unary(op Op, a Node) Node {
	if c.Op(a) == Const && (op != Log || c.Value(a) > 0) {
		return c.Const(op.Of(c.Value(a), 1))
	}
	return c.intern(node{a: int32(a), b: int32(One), op: op})
}
