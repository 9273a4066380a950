package gauss

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// Number is a number of a plan: a part of a table, or a constant if Table is ir.NoTable.
type Number struct {
	ir.MapPart
	Value float64
}

// Constant returns the number x.
func Constant(x float64) Number { return Number{ir.MapPart{Table: ir.NoTable}, x} }

// Part returns a part of a table.
func Part(t ir.TableID, part int) Number { return Number{ir.MapPart{Table: t, Part: part}, 0} }

// Code is a straight line of arithmetic under construction, over numbers of a plan.
type Code struct {
	*circuit.Circuit
	inputs []ir.MapPart
	known  map[ir.MapPart]circuit.Node
	out    []ir.MapPart
	nodes  []circuit.Node
}

// NewCode returns code without inputs and results.
func NewCode() *Code {
	return &Code{Circuit: circuit.NewSigned(), known: map[ir.MapPart]circuit.Node{}}
}

// Read returns the node of a number.
func (c *Code) Read(x Number) circuit.Node {
	if x.Table == ir.NoTable {
		return c.Const(x.Value)
	}
	n, ok := c.known[x.MapPart]
	if !ok {
		n = c.Input(int32(len(c.inputs)))
		c.inputs = append(c.inputs, x.MapPart)
		c.known[x.MapPart] = n
	}
	return n
}

// Write makes a node a result.
func (c *Code) Write(part ir.MapPart, n circuit.Node) {
	c.out, c.nodes = append(c.out, part), append(c.nodes, n)
}

// Results returns the number of results.
func (c *Code) Results() int { return len(c.out) }

// Ops returns the number of instructions that the results take.
func (c *Code) Ops() int { return c.Size(c.nodes) }

// MapOp returns the operation that computes the results from the inputs that they need.
func (c *Code) MapOp() *ir.MapOp {
	op := &ir.MapOp{Out: c.out}
	uses := c.Uses(c.nodes)
	value := make([]int32, c.Len())
	for i, part := range c.inputs {
		if n := c.known[part]; uses[n] > 0 {
			value[n] = int32(len(op.In))
			op.In = append(op.In, c.inputs[i])
		}
	}
	for n := range value {
		if node := circuit.Node(n); uses[n] > 0 && c.Op(node) == circuit.Const {
			value[n] = int32(len(op.In) + len(op.Consts))
			op.Consts = append(op.Consts, c.Value(node))
		}
	}
	first := len(op.In) + len(op.Consts)
	for n := range value {
		if node := circuit.Node(n); uses[n] > 0 && c.Op(node) >= circuit.Sum {
			a, b := c.Args(node)
			i := ir.Instr{Op: c.Op(node), A: value[a], B: value[b]}
			if i.Op.Unary() {
				i.B = i.A
			}
			value[n] = int32(first + len(op.Code))
			op.Code = append(op.Code, i)
		}
	}
	for _, n := range c.nodes {
		op.Set = append(op.Set, value[n])
	}
	return op
}

// Source returns the number of an input.
func (c *Code) Source(n circuit.Node) Number { return Number{c.inputs[c.Leaf(n)], 0} }
