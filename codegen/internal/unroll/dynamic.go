package unroll

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// If an axis is fixed at a state, the offset is known only at run time. Memory must hold the span
// then, and each element that is read becomes an input of the circuit, which an action loads.

// Window implements symbolic.Client.
func (t *trace) Window(axes []ir.Axis, v ir.View) (at func(offset int) circuit.Node, err error) {
	return t.windowOf(v.Span, t.base(v.Span, terms(t.p, axes, v.Stride))), nil
}

// terms returns the terms of an offset that depend on states, as Go text.
func terms(p *ir.Program, axes []ir.Axis, stride []int) []string {
	var out []string
	for i, a := range axes {
		if a.Kind == ir.AxisFixed && stride[i] != 0 {
			out = append(out, fmt.Sprintf("%d*int(t[%d])", stride[i], stateOf(p, a)))
		}
	}
	return out
}

func stateOf(p *ir.Program, a ir.Axis) int { return p.Spans[p.State].Offset + int(a.Var) }

// base stores a span to memory and returns the offset at which a view of it begins, as Go text.
func (t *trace) base(id ir.SpanID, terms []string) string {
	if !t.p.Spans[id].ReadOnly() {
		t.flush(id)
	}
	t.inMemory[id] = true
	return strings.Join(append([]string{fmt.Sprint(t.p.Spans[id].Offset)}, terms...), "+")
}

// windowOf returns a function that returns elements of a span from a computed offset on. An action
// loads them at this point of the program.
func (t *trace) windowOf(id ir.SpanID, base string) func(offset int) circuit.Node {
	at := len(t.actions)
	t.actions = append(t.actions, action{kind: window, base: base, mem: memoryOf(&t.p.Spans[id]), span: id})
	seen := map[int]circuit.Node{}
	return func(offset int) circuit.Node {
		n, ok := seen[offset]
		if !ok {
			n = t.input(leaf{})
			seen[offset] = n
			a := &t.actions[at]
			a.index, a.results = append(a.index, offset), append(a.results, n)
		}
		return n
	}
}

// Scatter implements symbolic.Client. Afterwards only memory holds the span.
func (t *trace) Scatter(axes []ir.Axis, v ir.View) (set func(int, circuit.Node), done func(), err error) {
	a := action{kind: spread, base: t.base(v.Span, terms(t.p, axes, v.Stride)), mem: "s", span: v.Span}
	set = func(offset int, n circuit.Node) { a.index, a.nodes = append(a.index, offset), append(a.nodes, n) }
	done = func() {
		t.actions = append(t.actions, a)
		t.forget(v.Span)
	}
	return set, done, nil
}

// Pick implements symbolic.Client. The state is drawn from a row of weights, or is the largest
// one's.
func (t *trace) Pick(s *ir.Pick) error {
	row := make([]circuit.Node, s.Axes[0].Size)
	for i := range row {
		row[i] = circuit.One
	}
	for _, v := range s.In {
		at, err := t.x.Operand(s.Axes, v)
		if err != nil {
			return err
		}
		for i := range row {
			row[i] = t.c.Prod(row[i], at(i*v.Stride[0]))
		}
	}
	t.actions = append(t.actions, action{kind: pick, at: stateOf(t.p, s.Axes[0]), nodes: row, mode: s.Mode, span: ir.NoSpan})
	return nil
}

// Lookup implements symbolic.Client. The states of the axes determine where the row begins.
func (t *trace) Lookup(s *ir.Lookup) error {
	n := t.p.Spans[s.Out].Len
	stride := make([]int, len(s.Axes))
	step := n
	for i := len(s.Axes) - 1; i >= 0; i-- {
		stride[i] = step
		step *= s.Axes[i].Size
	}
	at := t.windowOf(s.Table, t.base(s.Table, terms(t.p, s.Axes, stride)))
	for i := range n {
		t.x.Set(s.Out, i, at(i))
	}
	return nil
}
