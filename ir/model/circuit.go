package model

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// Circuit is a potential in the form of an arithmetic circuit over indicators of states. Its value
// at a joint state is the value of the last node when the indicators of that state are 1 and all
// others are 0 (Darwiche, "A differential approach to inference in Bayesian networks", 2003).
// Operands precede the nodes that use them. The circuit need not be smooth or decomposable; methods
// that need these properties check them.
type Circuit struct{ Nodes []CircuitNode }

// CircuitNode is one node of a Circuit.
type CircuitNode struct {
	Op    CircuitOp
	Args  []int32 // for a sum or product: earlier nodes; an empty sum is 0, an empty product 1
	Value float64 // for a number
	Axis  int     // for an indicator: a position of the scope
	State int32   // for an indicator: the state of the variable
}

// CircuitOp is the operation of a node of a Circuit.
type CircuitOp uint8

// The operations.
const (
	CircuitNumber CircuitOp = iota
	CircuitIndicator
	CircuitSum
	CircuitProduct
)

// Kind returns "circuit".
func (*Circuit) Kind() string { return "circuit" }

// Numbers returns the values of the nodes that are numbers, in a new slice.
func (d *Circuit) Numbers() []float64 {
	var list []float64
	for i := range d.Nodes {
		if n := &d.Nodes[i]; n.Op == CircuitNumber {
			list = append(list, n.Value)
		}
	}
	return list
}

// Size returns the number of nodes that are numbers.
func (d *Circuit) Size() (n int) {
	for i := range d.Nodes {
		if d.Nodes[i].Op == CircuitNumber {
			n++
		}
	}
	return n
}

// HasZeros returns true, since sums may be empty.
func (*Circuit) HasZeros() bool { return true }

// Work returns one step per node.
func (d *Circuit) Work(*Model, *Factor) int { return len(d.Nodes) }

// mostEntries accounts for a pass through the circuit for each entry.
func (d *Circuit) mostEntries(limit int) int { return limit / max(1, len(d.Nodes)) }

func (*Circuit) fits(cpd bool) bool { return !cpd }

func (d *Circuit) normalized(*Model, *Factor) Dist { return d }

// Edges returns the number of operands of all nodes, the size by which the literature compares
// circuits.
func (d *Circuit) Edges() int {
	n := 0
	for i := range d.Nodes {
		n += len(d.Nodes[i].Args)
	}
	return n
}

// Eval returns the value of the last node for the given values of indicators; buf is scratch memory
// of one number per node.
func (d *Circuit) Eval(indicator func(axis int, state int32) float64, buf []float64) float64 {
	for i := range d.Nodes {
		switch n := &d.Nodes[i]; n.Op {
		case CircuitNumber:
			buf[i] = n.Value
		case CircuitIndicator:
			buf[i] = indicator(n.Axis, n.State)
		case CircuitSum:
			buf[i] = circuit.SumOf(n.Args, buf)
		case CircuitProduct:
			buf[i] = circuit.ProdOf(n.Args, buf)
		}
	}
	return buf[len(d.Nodes)-1]
}

func (d *Circuit) value(_ *Model, f *Factor, state []int) float64 {
	return d.Eval(func(axis int, s int32) float64 {
		if state[f.Scope[axis]] == int(s) {
			return 1
		}
		return 0
	}, make([]float64, len(d.Nodes)))
}

// check always returns ok, since a circuit has no rows.
func (d *Circuit) check(c *checker, f *Factor, pos diag.Pos, what string) (rows [][]float64, ok bool) {
	if len(d.Nodes) == 0 {
		c.Errorf(pos, "%s is a circuit without nodes", what)
		return nil, true
	}
	for i := range d.Nodes {
		if err := d.checkNode(c.m, f, i); err != "" {
			c.Errorf(c.rowPos(f, i), "%s: node %d %s", what, i, err)
			return nil, true
		}
	}
	return nil, true
}

// checkNode returns the error in node i, or "".
func (d *Circuit) checkNode(m *Model, f *Factor, i int) string {
	switch n := &d.Nodes[i]; n.Op {
	case CircuitNumber:
		if !(n.Value >= 0) || math.IsInf(n.Value, 0) {
			return fmt.Sprintf("is the number %v; want one of at least 0", n.Value)
		}
	case CircuitIndicator:
		if n.Axis < 0 || n.Axis >= len(f.Scope) {
			return fmt.Sprintf("tests position %d of the scope; want 0 to %d", n.Axis, len(f.Scope)-1)
		}
		if v := f.Scope[n.Axis]; n.State < 0 || int(n.State) >= m.Card(v) {
			return fmt.Sprintf("tests state number %d of %q; want 0 to %d", n.State, m.Vars[v].Name, m.Card(v)-1)
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
