package circuit

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// circuitOf returns the factor of p's model that is a circuit and can be taken over: it can be
// summed out in a single pass, and all other factors are over one variable. Otherwise f is nil, and
// why is the reason, or empty if there is no circuit. A circuit that cannot be taken over is
// eliminated like other factors, if its table is small enough.
func circuitOf(p *ir.Problem) (f *model.Factor, why string) {
	for _, g := range p.Model.Factors {
		if g.Circuit() != nil {
			f = g
		}
	}
	if f == nil {
		return nil, ""
	}
	for _, g := range p.Model.Factors {
		if g != f && len(g.Scope) > 1 {
			return nil, fmt.Sprintf("there is also a %s", p.Model.FactorName(g))
		}
	}
	if node, broken := f.Circuit().Structure(); node >= 0 {
		return nil, fmt.Sprintf("node %d of the circuit %s", node, broken)
	}
	if p.Params == ir.Var {
		return nil, "the numbers of a circuit cannot be replaced, and variable parameters need its table"
	}
	return f, ""
}

// takeOver adds the nodes of the circuit f to the new circuit. An indicator becomes the likelihood
// of its state times the other factors of its variable. Variables that f does not depend on are
// summed out separately.
func (b *planner) takeOver(f *model.Factor) (root circuit.Node, err error) {
	root, err = b.takeOverBy(f, (*planner).copy)
	if errors.Is(err, errOverflow) || errors.Is(err, errScopes) {
		return b.takeOverBy(f, (*planner).copyLifted)
	}
	return root, err
}

// leafFunc returns the node that replaces a number or an indicator.
type leafFunc func(n *model.CircuitNode) circuit.Node

// takeOverBy is takeOver by the given function, which copies the nodes of the circuit.
func (b *planner) takeOverBy(f *model.Factor, copy func(*planner, *model.Circuit, leafFunc) (circuit.Node, error)) (root circuit.Node, err error) {
	m, d := b.p.Model, f.Circuit()
	b.out = &ir.Circuit{Model: m, Nodes: circuit.New()}
	b.e = newEliminator(m, b.out, nil)
	b.e.max = b.max
	weight, root := b.weights(f)
	used := make([]bool, len(m.Vars))
	for i, needed := range d.Needed() {
		if n := &d.Nodes[i]; needed && n.Op == model.CircuitIndicator {
			used[f.Scope[n.Axis]] = true
		}
	}
	leaf := func(n *model.CircuitNode) circuit.Node {
		if n.Op == model.CircuitNumber {
			return b.out.Nodes.Const(n.Value)
		}
		return weight[f.Scope[n.Axis]][n.State]
	}
	top, err := copy(b, d, leaf)
	if err != nil {
		return 0, err
	}
	root = b.out.Nodes.Prod(root, top)
	for v, w := range weight {
		if used[v] {
			continue
		}
		sum := circuit.Zero
		for _, x := range w {
			sum = b.e.plus(sum, x)
		}
		root = b.out.Nodes.Prod(root, sum)
	}
	return root, b.ctx.Err()
}

// copy copies d, with rescaled values if some could leave the range of a float64, and returns the
// root.
func (b *planner) copy(d *model.Circuit, leaf leafFunc) (circuit.Node, error) {
	bits := bitsOf(d, func(n *model.CircuitNode) interval { return b.bits(leaf(n)) })
	if slices.ContainsFunc(bits, func(i interval) bool { return i.beyond(rangeBits) }) {
		return b.copyScaled(d, leaf)
	}
	return b.copyPlain(d, leaf)
}

// copyPlain copies d as it is and returns the root.
func (b *planner) copyPlain(d *model.Circuit, leaf leafFunc) (circuit.Node, error) {
	c := b.out.Nodes
	variable := make([]bool, len(d.Nodes)) // by node: it depends on a variable
	nodes := make([]circuit.Node, len(d.Nodes))
	for i := range d.Nodes {
		n := &d.Nodes[i]
		variable[i] = n.Op == model.CircuitIndicator || slices.ContainsFunc(n.Args, func(a int32) bool { return variable[a] })
		switch n.Op {
		case model.CircuitSum:
			nodes[i] = circuit.Zero
			for _, a := range n.Args {
				nodes[i] = b.plus(nodes[i], nodes[a], variable[i])
			}
		case model.CircuitProduct:
			nodes[i] = circuit.One
			for _, a := range n.Args {
				nodes[i] = c.Prod(nodes[i], nodes[a])
			}
		default:
			nodes[i] = leaf(n)
		}
		if c.Len() > b.maxNodes() {
			return 0, errTooLarge
		}
	}
	return nodes[len(nodes)-1], nil
}

// plus returns the sum of two nodes. In a circuit of maxima it returns their maximum if they depend
// on a variable.
func (b *planner) plus(x, y circuit.Node, variable bool) circuit.Node {
	if variable {
		return b.e.plus(x, y)
	}
	return b.out.Nodes.Sum(x, y)
}

// weights returns, by variable and state, the likelihood times the other factors over that
// variable, and the product of the constant factors.
func (b *planner) weights(f *model.Factor) (weight [][]circuit.Node, constant circuit.Node) {
	m, c := b.p.Model, b.out.Nodes
	b.lambda, constant = make([][]circuit.Node, len(m.Vars)), circuit.One
	for _, v := range m.Vars {
		w := make([]circuit.Node, m.Card(v.ID))
		for s := range w {
			w[s] = circuit.One
			if !v.Latent {
				w[s] = b.e.input(ir.Leaf{Kind: ir.LeafLikelihood, Var: v.ID, Index: s})
				b.lambda[v.ID] = append(b.lambda[v.ID], w[s])
			}
		}
		weight = append(weight, w)
	}
	state := make([]int, len(m.Vars))
	for _, g := range m.Factors {
		switch {
		case g == f:
		case len(g.Scope) == 0:
			constant = c.Prod(constant, c.Const(m.Value(g, state)))
		default:
			v := g.Scope[0]
			for s := range weight[v] {
				state[v] = s
				weight[v][s] = c.Prod(weight[v][s], c.Const(m.Value(g, state)))
			}
			state[v] = 0
		}
	}
	return weight, constant
}
