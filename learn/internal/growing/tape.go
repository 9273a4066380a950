package growing

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Tape is a circuit as it was, laid out for evaluation, with the values and derivatives of its nodes. One goroutine may use it at a time.
type Tape struct {
	ops    []op
	ends   []int32 // by node: the end of its operands, which begin at that of the one before
	args   []int32
	params []int32   // by number: the node, or -1
	inds   [][]int32 // by variable and state

	value, slope []float64
}

// Tape lays out the circuit, in t where that is not nil.
func (c *Circuit) Tape(t *Tape) *Tape {
	if t == nil {
		t = &Tape{}
	}
	order := c.order()
	place := make([]int32, len(c.nodes))
	t.ops, t.ends, t.args = t.ops[:0], t.ends[:0], t.args[:0]
	for i, n := range order {
		place[n] = int32(i)
		t.ops = append(t.ops, c.nodes[n].op)
		for _, arg := range c.nodes[n].args {
			t.args = append(t.args, place[arg])
		}
		t.ends = append(t.ends, int32(len(t.args)))
	}
	t.params = t.params[:0]
	for _, n := range c.params {
		if n >= 0 {
			n = place[n]
		}
		t.params = append(t.params, n)
	}
	if t.inds == nil {
		for _, inds := range c.inds {
			t.inds = append(t.inds, make([]int32, len(inds)))
		}
	}
	for v, inds := range c.inds {
		for s, n := range inds {
			t.inds[v][s] = place[n]
		}
	}
	if n := len(order); n > cap(t.value) {
		t.value, t.slope = make([]float64, n+n/4), make([]float64, n+n/4)
	}
	t.value, t.slope = t.value[:len(order)], t.slope[:len(order)]
	return t
}

// All sets all indicators to 1: what is evaluated is the sum over all joint states.
func (t *Tape) All() {
	for _, inds := range t.inds {
		for _, n := range inds {
			t.value[n] = 1
		}
	}
}

// Set sets the indicator of a state.
func (t *Tape) Set(v, state int, x float64) { t.value[t.inds[v][state]] = x }

// Eval is the value of the circuit for the indicators that were set and these parameters.
func (t *Tape) Eval(theta []float64) float64 {
	for i, n := range t.params {
		if n >= 0 {
			t.value[n] = theta[i]
		}
	}
	value, args := t.value, t.args
	start := int32(0)
	for i, end := range t.ends {
		switch t.ops[i] {
		case sum:
			x := 0.0
			for _, a := range args[start:end] {
				x += value[a]
			}
			value[i] = x
		case prod:
			x := 1.0
			for _, a := range args[start:end] {
				x *= value[a]
			}
			value[i] = x
		}
		start = end
	}
	return value[len(value)-1]
}

// Derive finds the derivatives of what was evaluated last by all nodes.
func (t *Tape) Derive() {
	value, slope := t.value, t.slope
	clear(slope)
	slope[len(slope)-1] = 1
	for i := len(t.ends) - 1; i >= 0; i-- {
		by := slope[i]
		if t.ops[i] < sum || by == 0 {
			continue
		}
		start := int32(0)
		if i > 0 {
			start = t.ends[i-1]
		}
		args := t.args[start:t.ends[i]]
		if t.ops[i] == sum {
			for _, a := range args {
				slope[a] += by
			}
			continue
		}
		if x := by * value[i]; value[i] >= tiny {
			for _, a := range args {
				slope[a] += x / value[a]
			}
			continue
		}
		for k, a := range args {
			for j, b := range args {
				if j != k {
					by *= value[b]
				}
			}
			slope[a] += by
			by = slope[i]
		}
	}
}

// tiny is the least product by which operands are divided: above it, the quotient has full precision.
const tiny = 1e-290

// ByParam is the derivative by a parameter.
func (t *Tape) ByParam(x int32) float64 {
	if n := t.params[x]; n >= 0 {
		return t.slope[n]
	}
	return 0
}

// ByState is the derivative by the indicator of a state.
func (t *Tape) ByState(v, state int) float64 { return t.slope[t.inds[v][state]] }

// Finite reports whether a value of a circuit can be divided by.
func Finite(z float64) bool { return z > 0 && !math.IsInf(z, 1) }

// Dist is the circuit with values for its parameters, over all variables in order.
func (c *Circuit) Dist(theta []float64) *model.Circuit {
	order := c.order()
	place := make([]int32, len(c.nodes))
	d := &model.Circuit{Nodes: make([]model.CircuitNode, len(order))}
	for i, id := range order {
		place[id] = int32(i)
		n, out := &c.nodes[id], &d.Nodes[i]
		switch n.op {
		case param:
			out.Op, out.Value = model.CircuitNumber, theta[n.a]
		case indicator:
			out.Op, out.Axis, out.State = model.CircuitIndicator, int(n.a), n.b
		case sum:
			out.Op = model.CircuitSum
		case prod:
			out.Op = model.CircuitProduct
		}
		for _, arg := range n.args {
			out.Args = append(out.Args, place[arg])
		}
	}
	return d
}

// TapeOf lays out a circuit over all variables in order, with these numbers of states. Its numbers are the parameters, by their order
// among the nodes, and have the values that come back. Nothing is assumed of the circuit but that its last node is its root.
func TapeOf(d *model.Circuit, cards []int) (t *Tape, theta []float64) {
	t = &Tape{}
	for _, card := range cards {
		inds := make([]int32, card)
		for s := range inds {
			inds[s] = int32(len(t.ops))
			t.ops, t.ends = append(t.ops, indicator), append(t.ends, 0)
		}
		t.inds = append(t.inds, inds)
	}
	place := make([]int32, len(d.Nodes))
	for i := range d.Nodes {
		n := &d.Nodes[i]
		place[i] = int32(len(t.ops))
		switch n.Op {
		case model.CircuitIndicator:
			place[i] = t.inds[n.Axis][n.State]
			if i < len(d.Nodes)-1 {
				continue
			}
			t.args = append(t.args, place[i]) // the root has to be the last node
			t.ops = append(t.ops, prod)
		case model.CircuitNumber:
			t.params = append(t.params, place[i])
			theta = append(theta, n.Value)
			t.ops = append(t.ops, param)
		default:
			for _, a := range n.Args {
				t.args = append(t.args, place[a])
			}
			if t.ops = append(t.ops, prod); n.Op == model.CircuitSum {
				t.ops[len(t.ops)-1] = sum
			}
		}
		t.ends = append(t.ends, int32(len(t.args)))
	}
	t.value, t.slope = make([]float64, len(t.ops)), make([]float64, len(t.ops))
	return t, theta
}

// Clone gives the same circuit with values and derivatives of its own, for another goroutine.
func (t *Tape) Clone() *Tape {
	other := *t
	other.value, other.slope = make([]float64, len(t.ops)), make([]float64, len(t.ops))
	return &other
}
