package growing

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Tape is a snapshot of a circuit, laid out for evaluation, with the values and derivatives of its
// nodes. One goroutine may use it at a time.
type Tape struct {
	flat   circuit.Flat
	params []int32   // by number: the node, or -1
	inds   [][]int32 // by variable and state

	value, slope []float64
}

// Tape lays out the circuit. It reuses t if that is not nil.
func (c *Circuit) Tape(t *Tape) *Tape {
	if t == nil {
		t = &Tape{}
	}
	order := c.order()
	place := make([]int32, len(c.nodes))
	f := &t.flat
	f.Ops, f.Ends, f.Args = f.Ops[:0], f.Ends[:0], f.Args[:0]
	for i, n := range order {
		place[n] = int32(i)
		f.Ops = append(f.Ops, c.nodes[n].op)
		for _, arg := range c.nodes[n].args {
			f.Args = append(f.Args, place[arg])
		}
		f.Ends = append(f.Ends, int32(len(f.Args)))
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

// All sets all indicators to 1, so that Eval sums over all joint states.
func (t *Tape) All() {
	for _, inds := range t.inds {
		for _, n := range inds {
			t.value[n] = 1
		}
	}
}

// Set sets the indicator of a state.
func (t *Tape) Set(v, state int, x float64) { t.value[t.inds[v][state]] = x }

// Eval returns the value of the circuit for the indicators set and these parameters.
func (t *Tape) Eval(theta []float64) float64 {
	for i, n := range t.params {
		if n >= 0 {
			t.value[n] = theta[i]
		}
	}
	return t.flat.Up(t.value)
}

// Derive computes the derivatives of the last value by all nodes.
func (t *Tape) Derive() { t.flat.Down(t.value, t.slope) }

// ByParam returns the derivative by a parameter.
func (t *Tape) ByParam(x int32) float64 {
	if n := t.params[x]; n >= 0 {
		return t.slope[n]
	}
	return 0
}

// ByState returns the derivative by the indicator of a state.
func (t *Tape) ByState(v, state int) float64 { return t.slope[t.inds[v][state]] }

// Finite reports whether a value of a circuit can be a divisor.
func Finite(z float64) bool { return z > 0 && !math.IsInf(z, 1) }

// Dist returns the circuit with values for its parameters, over all variables in order.
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

// TapeOf lays out a circuit over all variables in order, with these numbers of states. Its
// constants become the parameters, numbered in the order of the nodes; TapeOf returns their values.
// The last node of the circuit must be its root.
func TapeOf(d *model.Circuit, cards []int) (t *Tape, theta []float64) {
	t = &Tape{}
	for _, card := range cards {
		inds := make([]int32, card)
		for s := range inds {
			inds[s] = t.flat.Add(indicator)
		}
		t.inds = append(t.inds, inds)
	}
	place := make([]int32, len(d.Nodes))
	var args []int32
	for i := range d.Nodes {
		n := &d.Nodes[i]
		args = args[:0]
		for _, a := range n.Args {
			args = append(args, place[a])
		}
		switch n.Op {
		case model.CircuitIndicator:
			if place[i] = t.inds[n.Axis][n.State]; i == len(d.Nodes)-1 { // the root must be the last node
				t.flat.Add(prod, place[i])
			}
		case model.CircuitNumber:
			place[i] = t.flat.Add(param)
			t.params, theta = append(t.params, place[i]), append(theta, n.Value)
		case model.CircuitSum:
			place[i] = t.flat.Add(sum, args...)
		case model.CircuitProduct:
			place[i] = t.flat.Add(prod, args...)
		}
	}
	t.value, t.slope = make([]float64, len(t.flat.Ops)), make([]float64, len(t.flat.Ops))
	return t, theta
}

// Clone returns the same circuit with its own values and derivatives, for another goroutine.
func (t *Tape) Clone() *Tape {
	other := *t
	other.value, other.slope = make([]float64, len(t.flat.Ops)), make([]float64, len(t.flat.Ops))
	return &other
}
