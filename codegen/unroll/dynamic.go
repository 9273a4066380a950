package unroll

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// Where an axis stands at a state, the offset is known only at run time: memory must hold the span, and what is read
// becomes an input that an action loads.

// reader gives the elements of a view by their offset along the looping axes.
func (t *trace) reader(axes []ir.Axis, v ir.View) func(offset int) circuit.Node {
	if !moves(axes, v) {
		return func(offset int) circuit.Node { return t.element(v.Span, offset) }
	}
	return t.windowOf(v.Span, t.base(v.Span, terms(t.p, axes, v.Stride)))
}

// moves reports whether a fixed axis moves the view.
func moves(axes []ir.Axis, v ir.View) bool {
	for i, a := range axes {
		if a.Kind == ir.AxisFixed && v.Stride[i] != 0 {
			return true
		}
	}
	return false
}

// terms gives the part of an offset that states decide, as Go text.
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

// base makes memory hold a span and gives the offset where a view of it begins.
func (t *trace) base(id ir.SpanID, terms []string) string {
	if !t.p.Spans[id].ReadOnly() {
		t.flush(id)
	}
	t.touched[id] = true
	return strings.Join(append([]string{fmt.Sprint(t.p.Spans[id].Offset)}, terms...), "+")
}

// windowOf gives elements from a computed base on, loaded now.
func (t *trace) windowOf(id ir.SpanID, base string) func(offset int) circuit.Node {
	mem := "s"
	if t.p.Spans[id].ReadOnly() {
		mem = "p"
	}
	at := len(t.actions)
	t.actions = append(t.actions, action{kind: window, base: base, mem: mem, span: id})
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

// writer gives what sets the elements of a result by their offset along the looping axes, and what to do afterwards.
func (t *trace) writer(axes []ir.Axis, v ir.View) (set func(int, circuit.Node), finish func()) {
	if !moves(axes, v) {
		return func(offset int, n circuit.Node) { t.set(v.Span, offset, n) }, func() {}
	}
	a := action{kind: spread, base: t.base(v.Span, terms(t.p, axes, v.Stride)), mem: "s", span: v.Span}
	set = func(offset int, n circuit.Node) { a.index, a.nodes = append(a.index, offset), append(a.nodes, n) }
	return set, func() {
		t.actions = append(t.actions, a)
		for i := range t.now[v.Span] { // anywhere
			t.now[v.Span][i], t.mem[v.Span][i] = unknown, unknown
		}
	}
}

func (t *trace) pick(s *ir.Pick) {
	row := make([]circuit.Node, s.Axes[0].Size)
	for i := range row {
		row[i] = circuit.One
	}
	for _, v := range s.In {
		at := t.reader(s.Axes, v)
		for i := range row {
			row[i] = t.c.Prod(row[i], at(i*v.Stride[0]))
		}
	}
	t.actions = append(t.actions, action{kind: pick, at: stateOf(t.p, s.Axes[0]), nodes: row, mode: s.Mode, span: ir.NoSpan})
}

func (t *trace) lookup(s *ir.Lookup) {
	n := t.p.Spans[s.Out].Len
	stride := make([]int, len(s.Axes))
	step := n
	for i := len(s.Axes) - 1; i >= 0; i-- {
		stride[i] = step
		step *= s.Axes[i].Size
	}
	at := t.windowOf(s.Table, t.base(s.Table, terms(t.p, s.Axes, stride)))
	for i := range n {
		t.set(s.Out, i, at(i))
	}
}
