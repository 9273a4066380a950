package symbolic

import "github.com/pgmc-go/pgmc/ir/circuit"

// Expressions writes nodes of a circuit as expressions of Go, for whoever emits them.
// The caller decides which nodes have a name.
type Expressions struct {
	Circuit *circuit.Circuit
	// Atom returns the text of a node that is not written out: a name, an element of memory, or a
	// literal. It must return one for all constants and inputs. The text is of type float64 or a
	// constant, and is an operand in Go's grammar.
	Atom func(n circuit.Node) (text string, ok bool)
	// Std returns the name by which the file refers to a name of the standard library. Maxima need
	// it; sums and products do not.
	Std func(name string) string
	// Runtime returns the name by which the file refers to a name of the runtime. Ratios need it.
	Runtime func(name string) string
}

// Text returns the expression of n.
func (p *Expressions) Text(n circuit.Node) string {
	if text, ok := p.Atom(n); ok {
		return text
	}
	return p.Operation(n)
}

// Operation returns the expression that computes n, a sum, product or maximum, even if n has a
// name. It converts products that are summed, so that no platform fuses them with the sum.
func (p *Expressions) Operation(n circuit.Node) string {
	a, b := p.Circuit.Args(n)
	switch p.Circuit.Op(n) {
	case circuit.Sum:
		return p.left(a, circuit.Sum) + " + " + p.term(b)
	case circuit.Prod:
		return p.left(a, circuit.Prod) + "*" + p.factor(b)
	case circuit.Max:
		if p.Circuit.Signed() {
			return "max(" + p.Text(a) + ", " + p.Text(b) + ")"
		}
	default:
		return p.signed(p.Circuit.Op(n), a, b)
	}
	return p.Std("math.Float64frombits") + "(" + largest(append(p.bits(a), p.bits(b)...)) + ")"
}

// signed returns the expression of an operation that only signed circuits have.
func (p *Expressions) signed(op circuit.Op, a, b circuit.Node) string {
	switch op {
	case circuit.Sub:
		if a == circuit.Zero {
			return "-" + p.factor(b)
		}
		return p.left(a, circuit.Sum) + " - " + p.term(b)
	case circuit.Quot:
		if b == circuit.Zero { // Go has no quotient by a constant 0
			return p.factor(a) + "*" + p.Std("math.Inf") + "(1)"
		}
		return p.factor(a) + "/" + p.factor(b)
	case circuit.Ratio:
		return p.Runtime("Ratio") + "(" + p.Text(a) + ", " + p.Text(b) + ")"
	case circuit.Min:
		return "min(" + p.Text(a) + ", " + p.Text(b) + ")"
	case circuit.Pow:
		return p.Std("math.Pow") + "(" + p.Text(a) + ", " + p.Text(b) + ")"
	case circuit.Atan2:
		return p.Std("math.Atan2") + "(" + p.Text(a) + ", " + p.Text(b) + ")"
	}
	if op == circuit.Log {
		return p.Runtime("Ln") + "(" + p.Text(a) + ")"
	}
	return p.Std(mathNames[op]) + "(" + p.Text(a) + ")"
}

// mathNames holds the functions of the standard library that compute operations of one number.
var mathNames = map[circuit.Op]string{circuit.Sqrt: "math.Sqrt", circuit.Exp: "math.Exp",
	circuit.Sin: "math.Sin", circuit.Cos: "math.Cos", circuit.Tanh: "math.Tanh"}

// nested returns the operation of n if n is written out, and Const otherwise.
func (p *Expressions) nested(n circuit.Node) circuit.Op {
	if _, ok := p.Atom(n); ok {
		return circuit.Const
	}
	return p.Circuit.Op(n)
}

// left returns the left operand of op. It needs no parentheses if it is another op.
func (p *Expressions) left(n circuit.Node, op circuit.Op) string {
	switch {
	case p.nested(n) == op:
		return p.Operation(n)
	case op == circuit.Sum:
		return p.term(n)
	}
	return p.factor(n)
}

// term returns an operand of a sum.
func (p *Expressions) term(n circuit.Node) string {
	switch p.nested(n) {
	case circuit.Prod:
		return "float64(" + p.Operation(n) + ")"
	case circuit.Sum, circuit.Sub:
		return "(" + p.Operation(n) + ")"
	}
	return p.Text(n)
}

// factor returns the right operand of a product, or a left one that is not a product.
func (p *Expressions) factor(n circuit.Node) string {
	switch p.nested(n) {
	case circuit.Prod, circuit.Sum, circuit.Sub, circuit.Quot:
		return "(" + p.Operation(n) + ")"
	}
	return p.Text(n)
}

// Bits returns the expression of the bit pattern of n, as an integer.
func (p *Expressions) Bits(n circuit.Node) string { return largest(p.bits(n)) }

// bits returns the bit patterns of which n is the maximum. The patterns of numbers of at least 0
// have the same order as the numbers, and the maximum of integers takes two instructions, that of
// floats seven.
func (p *Expressions) bits(n circuit.Node) []string {
	if p.nested(n) == circuit.Max {
		a, b := p.Circuit.Args(n)
		return append(p.bits(a), p.bits(b)...)
	}
	return []string{p.Std("math.Float64bits") + "(" + p.Text(n) + ")"}
}

// largest returns the maximum of integers as a balanced tree, so that few instructions wait for
// each other.
func largest(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	half := len(list) / 2
	return "max(" + largest(list[:half]) + ", " + largest(list[half:]) + ")"
}
