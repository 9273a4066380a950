package model

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Circuit is a potential in the form of an arithmetic circuit over indicators of states: its value at a joint state is that
// of the last node, where the indicators of that state are 1 and all others 0 (Darwiche, "A differential approach to
// inference in Bayesian networks", 2003). Operands stand before what uses them. Nothing says that the circuit is smooth or
// decomposable; methods that need it check it.
type Circuit struct{ Nodes []CircuitNode }

// CircuitNode is one node of a Circuit.
type CircuitNode struct {
	Op    CircuitOp
	Args  []int32 // of a sum or product: earlier nodes; an empty sum is 0, an empty product 1
	Value float64 // of a number
	Axis  int     // of an indicator: a position of the scope
	State int32   // of an indicator
}

// CircuitOp is what a node of a Circuit does.
type CircuitOp uint8

// The operations.
const (
	CircuitNumber CircuitOp = iota
	CircuitIndicator
	CircuitSum
	CircuitProduct
)

func (*Circuit) dist() {}

// Edges is the number of operands of all nodes, the size by which the literature compares circuits.
func (d *Circuit) Edges() int {
	n := 0
	for i := range d.Nodes {
		n += len(d.Nodes[i].Args)
	}
	return n
}

// Eval is the value of the last node for the given values of indicators; buf is scratch of one number a node.
func (d *Circuit) Eval(indicator func(axis int, state int32) float64, buf []float64) float64 {
	for i := range d.Nodes {
		switch n := &d.Nodes[i]; n.Op {
		case CircuitNumber:
			buf[i] = n.Value
		case CircuitIndicator:
			buf[i] = indicator(n.Axis, n.State)
		case CircuitSum:
			sum := 0.0
			for _, a := range n.Args {
				sum += buf[a]
			}
			buf[i] = sum
		case CircuitProduct:
			product := 1.0
			for _, a := range n.Args {
				product *= buf[a]
			}
			buf[i] = product
		}
	}
	return buf[len(d.Nodes)-1]
}

// value is the value of f at a joint state of all variables.
func (d *Circuit) value(f *Factor, state []int, buf []float64) float64 {
	return d.Eval(func(axis int, s int32) float64 {
		if state[f.Scope[axis]] == int(s) {
			return 1
		}
		return 0
	}, buf)
}

func (c *checker) circuit(f *Factor, d *Circuit, pos diag.Pos, what string) {
	if len(d.Nodes) == 0 {
		c.Errorf(pos, "%s is a circuit without nodes", what)
		return
	}
	for i := range d.Nodes {
		if err := c.circuitNode(f, d, i); err != "" {
			c.Errorf(c.rowPos(f, i), "%s: node %d %s", what, i, err)
			return
		}
	}
}

// circuitNode says what is wrong with node i.
func (c *checker) circuitNode(f *Factor, d *Circuit, i int) string {
	switch n := &d.Nodes[i]; n.Op {
	case CircuitNumber:
		if !(n.Value >= 0) || math.IsInf(n.Value, 0) {
			return fmt.Sprintf("is the number %v; want one of at least 0", n.Value)
		}
	case CircuitIndicator:
		if n.Axis < 0 || n.Axis >= len(f.Scope) {
			return fmt.Sprintf("tests position %d of the scope; want 0 to %d", n.Axis, len(f.Scope)-1)
		}
		if v := f.Scope[n.Axis]; n.State < 0 || int(n.State) >= c.m.Card(v) {
			return fmt.Sprintf("tests state number %d of %q; want 0 to %d", n.State, c.m.Vars[v].Name, c.m.Card(v)-1)
		}
	case CircuitSum, CircuitProduct:
		for _, a := range n.Args {
			if a < 0 || int(a) >= i {
				return fmt.Sprintf("has operand %d; want a node before it", a)
			}
		}
	default:
		return fmt.Sprintf("has unknown operation %d", n.Op)
	}
	return ""
}
