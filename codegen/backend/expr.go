package backend

import "github.com/pgmc-go/pgmc/ir/circuit"

// Expressions writes nodes of a circuit as Go expressions. The caller decides which nodes have a
// name. Back-ends that emit expressions share it.
type Expressions struct {
	Circuit *circuit.Circuit
	// Atom gives the text of a node that is not to be written out: a name, an element, a literal.
	// It gives one for all constants and inputs. The text is of type float64 or a constant, and is
	// an operand in Go's grammar.
	Atom func(n circuit.Node) (text string, ok bool)
	// Std gives the name of something of the standard library. Maxima need it; sums and products do
	// not.
	Std func(name string) string
}

// Text gives the expression of n.
func (p *Expressions) Text(n circuit.Node) string {
	if text, ok := p.Atom(n); ok {
		return text
	}
	return p.Operation(n)
}

// Operation gives the expression that computes n, a sum, product or maximum, even if n has a name.
// Products that are summed are converted, so that no platform fuses them with the sum.
func (p *Expressions) Operation(n circuit.Node) string {
	a, b := p.Circuit.Args(n)
	switch p.Circuit.Op(n) {
	case circuit.Sum:
		return p.left(a, circuit.Sum) + " + " + p.term(b)
	case circuit.Prod:
		return p.left(a, circuit.Prod) + "*" + p.factor(b)
	}
	return p.Std("math.Float64frombits") + "(" + largest(append(p.bits(a), p.bits(b)...)) + ")"
}

// nested gives the operation of n where it is written out; Const otherwise.
func (p *Expressions) nested(n circuit.Node) circuit.Op {
	if _, ok := p.Atom(n); ok {
		return circuit.Const
	}
	return p.Circuit.Op(n)
}

// left is the left operand of op: another op to the left needs no parentheses.
func (p *Expressions) left(n circuit.Node, op circuit.Op) string {
	switch {
	case p.nested(n) == op:
		return p.Operation(n)
	case op == circuit.Sum:
		return p.term(n)
	}
	return p.factor(n)
}

func (p *Expressions) term(n circuit.Node) string {
	switch p.nested(n) {
	case circuit.Prod:
		return "float64(" + p.Operation(n) + ")"
	case circuit.Sum:
		return "(" + p.Operation(n) + ")"
	}
	return p.Text(n)
}

func (p *Expressions) factor(n circuit.Node) string {
	switch p.nested(n) {
	case circuit.Prod, circuit.Sum:
		return "(" + p.Operation(n) + ")"
	}
	return p.Text(n)
}

// Bits gives the bit pattern of n, as an integer.
func (p *Expressions) Bits(n circuit.Node) string { return largest(p.bits(n)) }

// bits gives the bit patterns of which n is the maximum. The patterns of numbers of at least 0 are
// ordered as the numbers are, and the maximum of integers is two instructions where that of floats
// is seven.
func (p *Expressions) bits(n circuit.Node) []string {
	if p.nested(n) == circuit.Max {
		a, b := p.Circuit.Args(n)
		return append(p.bits(a), p.bits(b)...)
	}
	return []string{p.Std("math.Float64bits") + "(" + p.Text(n) + ")"}
}

// largest is the maximum of integers: a tree, so that few steps wait for one another.
func largest(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	half := len(list) / 2
	return "max(" + largest(list[:half]) + ", " + largest(list[half:]) + ")"
}
