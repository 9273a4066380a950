package spn

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Model returns the network as a Markov network with one factor, its circuit. Nodes that are
// reached only by weights of 0 are dropped. It returns an error if the model is not valid.
func (n *Network) Model(name string) (*model.Model, error) {
	m := &model.Model{Name: name, Kind: model.Markov}
	c := &converter{n: n, d: &model.Circuit{}, place: make([]int32, n.nodes)}
	f := &model.Factor{Child: -1, Dist: c.d}
	for v, x := range n.Vars {
		f.Scope = append(f.Scope, m.NewVar(x.Name, x.States...).ID)
		c.first = append(c.first, int32(len(c.d.Nodes)))
		for s := range x.States {
			c.add(model.CircuitNode{Op: model.CircuitIndicator, Axis: v, State: int32(s)})
		}
	}
	root := c.node(Block(len(n.blocks)-1), 0)
	if int(root) != len(c.d.Nodes)-1 { // the last node must be the root
		c.add(model.CircuitNode{Op: model.CircuitProduct, Args: []int32{root}})
	}
	m.Factors = []*model.Factor{f}
	if list := m.Check(); list.HasErrors() {
		return nil, fmt.Errorf("the network is not a valid model: %w", list.Err())
	}
	return m, nil
}

// converter writes the nodes that the root needs, operands first.
type converter struct {
	n     *Network
	d     *model.Circuit
	place []int32 // by node; 0 if it is not written yet, since node 0 is an indicator
	first []int32 // by variable: the indicator of state 0
}

func (c *converter) add(x model.CircuitNode) int32 {
	c.d.Nodes = append(c.d.Nodes, x)
	return int32(len(c.d.Nodes) - 1)
}

// node returns the index of node j of a block.
func (c *converter) node(at Block, j int) int32 {
	b := &c.n.blocks[at]
	if known := c.place[b.start+j]; known > 0 {
		return known
	}
	var out int32
	switch b.kind {
	case leaf:
		card := c.n.card(b.v)
		out = c.weighted(b.weights[j*card:(j+1)*card], func(s int) int32 { return c.first[b.v] + int32(s) })
	case product:
		var args []int32
		for _, a := range b.args {
			args = append(args, c.node(a, j))
		}
		out = c.add(model.CircuitNode{Op: model.CircuitProduct, Args: args})
	case sum:
		width := len(b.weights) / b.size
		operand := make([]func() int32, 0, width)
		for _, a := range b.args {
			for h := range c.n.Size(a) {
				operand = append(operand, func() int32 { return c.node(a, h) })
			}
		}
		out = c.weighted(b.weights[j*width:(j+1)*width], func(k int) int32 { return operand[k]() })
	}
	c.place[b.start+j] = out
	return out
}

// weighted writes a weighted sum. If its one weight is 1, it writes only the operand.
func (c *converter) weighted(weights []float64, operand func(k int) int32) int32 {
	var args []int32
	for k, w := range weights {
		switch w {
		case 0:
		case 1:
			args = append(args, operand(k))
		default:
			x := operand(k)
			number := c.add(model.CircuitNode{Op: model.CircuitNumber, Value: w})
			args = append(args, c.add(model.CircuitNode{Op: model.CircuitProduct, Args: []int32{number, x}}))
		}
	}
	if len(args) == 1 {
		return args[0]
	}
	return c.add(model.CircuitNode{Op: model.CircuitSum, Args: args})
}
