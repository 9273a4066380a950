package vector

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/symbolic"
)

// Twin computes the numbers of a graph one by one. The nodes of its circuit have the operations of
// the lanes, in the same order, so that they have the same values to the last bit.
type Twin struct {
	Graph *Graph
	x     *symbolic.Executor
	c     *circuit.Circuit
	lanes map[laneOf]circuit.Node
}

type laneOf struct {
	n    ID
	lane int
}

// NewTwin returns a twin of the graph g that reads and sets the elements of an executor.
func NewTwin(g *Graph, x *symbolic.Executor, c *circuit.Circuit) *Twin {
	return &Twin{g, x, c, map[laneOf]circuit.Node{}}
}

// Contract executes a contraction.
func (t *Twin) Contract(c *ir.Contract) {
	t.Graph.Contract(c)
	id := c.Out.Span
	groups := t.Graph.Groups(id)
	elements(c, func(at int) { t.x.Set(id, at, t.lane(groups[at/Lanes], at%Lanes)) })
}

// Invert records the reciprocal that the executor has set.
func (t *Twin) Invert(s *ir.Invert) {
	t.Graph.Invert(s)
	for l := range Lanes {
		t.lanes[laneOf{t.Graph.Groups(s.Out)[0], l}] = t.x.Element(s.Out, 0)
	}
}

// elements calls set with the place of each element of the result of c.
func elements(c *ir.Contract, set func(at int)) {
	var walk func(axis, at int)
	walk = func(axis, at int) {
		switch {
		case axis == len(c.Axes):
			set(at)
		case c.Axes[axis].Kind == ir.AxisReduced:
			walk(axis+1, at)
		default:
			for s := range c.Axes[axis].Size {
				walk(axis+1, at+s*c.Out.Stride[axis])
			}
		}
	}
	walk(0, 0)
}

// across returns the sum of the lanes of a vector.
func (t *Twin) across(n ID) circuit.Node {
	return t.c.Sum(t.c.Sum(t.lane(n, 0), t.lane(n, 1)), t.c.Sum(t.lane(n, 2), t.lane(n, 3)))
}

// lane returns a lane of a vector.
func (t *Twin) lane(n ID, lane int) circuit.Node {
	key := laneOf{n, lane}
	out, ok := t.lanes[key]
	if !ok {
		out = t.compute(&t.Graph.Nodes[n], lane)
		t.lanes[key] = out
	}
	return out
}

func (t *Twin) compute(n *Node, lane int) circuit.Node {
	switch n.Op {
	case Const:
		return t.c.Const(n.Value[lane])
	case Load:
		if int(n.At[lane]) >= t.Graph.p.Spans[n.Span].Len {
			return circuit.Zero // of a lane without meaning
		}
		return t.x.Element(n.Span, int(n.At[lane]))
	case Mul:
		b := t.lane(n.Args[1], lane) // a constant, if there is one: other lanes need not be read if it is 0
		if b == circuit.Zero {
			return b
		}
		return t.c.Prod(t.lane(n.Args[0], lane), b)
	case Add:
		return t.c.Sum(t.lane(n.Args[0], lane), t.lane(n.Args[1], lane))
	case Max:
		return t.c.Max(t.lane(n.Args[0], lane), t.lane(n.Args[1], lane))
	case Keep:
		if n.At[lane] == 0 {
			return circuit.Zero
		}
		return t.lane(n.Args[0], lane)
	case Copy:
		return t.lane(n.Args[0], lane)
	case Across:
		if n.Args[lane] == None {
			return circuit.Zero
		}
		return t.across(n.Args[lane])
	}
	panic("vector: a twin normalises by itself")
}
