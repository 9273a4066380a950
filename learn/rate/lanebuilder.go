package rate

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/lanes"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// laneLimit bounds the preparation of a circuit and its derivatives for lanes: some four seconds
// and 500 MB, for a circuit of 700,000 nodes. Larger ones are computed in logarithms.
var laneLimit = lanes.Limit{Products: 1 << 22, Ops: 1 << 22, Slots: 1 << 20}

// digits is the number of bits by which the values of a row must exceed the error of underflow, so
// that it changes no digit.
const digits = 53

// laneBuilder makes a laneFlipper: it writes the circuit and its derivatives as a program of one
// step, which lanes compile.
type laneBuilder struct {
	scope   []model.VarID
	c       *circuit.Circuit
	inputs  [][]circuit.Node // by axis and state: the indicators
	by      [][]circuit.Node // by axis and state: the derivatives by them
	numbers []circuit.Node   // inputs: products of constants would be folded, and may underflow
	values  []float64        // of numbers
	root    circuit.Node
	program *ir.Program
	step    *ir.Sums
	element []int32 // by node: its element of the step
	size    int32   // the number of elements so far
}

// newLaneFlipper returns the flipper of a factor that is a smooth and decomposable circuit, or nil
// if the circuit or its values may be too large.
func newLaneFlipper(m *model.Model, f *model.Factor) *laneFlipper {
	b := &laneBuilder{scope: f.Scope, c: circuit.New(), program: &ir.Program{State: ir.NoSpan}, step: &ir.Sums{First: []int32{0}}}
	if !b.copy(m, f) {
		return nil
	}
	b.derive()
	least := math.Ldexp(b.c.Underflow(b.answers(), b.most), digits-1074)
	if !(least <= math.MaxFloat64) {
		return nil
	}
	e := b.lay()
	b.c, b.element = nil, nil // the program holds all that lanes need
	prog, err := lanes.Compile(b.program, e, laneLimit)
	if err != nil {
		return nil
	}
	p := b.open(e, prog)
	p.least = least
	return p
}

// copy adds the nodes of a circuit, as sums and products of two operands. It reports false if they
// are too many.
func (b *laneBuilder) copy(m *model.Model, f *model.Factor) bool {
	leaf := int32(-1)
	for _, v := range f.Scope {
		inputs := make([]circuit.Node, m.Card(v))
		for s := range inputs {
			inputs[s] = b.c.Input(leaf)
			leaf--
		}
		b.inputs = append(b.inputs, inputs)
	}
	known := map[float64]circuit.Node{0: circuit.Zero, 1: circuit.One}
	nodes := make([]circuit.Node, 0, len(f.Circuit().Nodes))
	for i := range f.Circuit().Nodes {
		n := &f.Circuit().Nodes[i]
		at := circuit.Zero
		switch n.Op {
		case model.CircuitNumber:
			var ok bool
			if at, ok = known[n.Value]; !ok {
				at = b.c.Input(int32(len(b.values)))
				known[n.Value] = at
				b.numbers, b.values = append(b.numbers, at), append(b.values, n.Value)
			}
		case model.CircuitIndicator:
			at = b.inputs[n.Axis][n.State]
		case model.CircuitSum:
			for _, a := range n.Args {
				at = b.c.Sum(at, nodes[a])
			}
		case model.CircuitProduct:
			at = circuit.One
			for _, a := range n.Args {
				at = b.c.Prod(at, nodes[a])
			}
		}
		if nodes = append(nodes, at); b.c.Len() > laneLimit.Ops/2 { // the derivatives take at least as many
			return false
		}
	}
	b.root = nodes[len(nodes)-1]
	return true
}

// derive adds the derivatives by the indicators.
func (b *laneBuilder) derive() {
	d := b.c.Derive(b.root, slices.Concat(b.inputs...), nil)
	for _, inputs := range b.inputs {
		b.by = append(b.by, d[:len(inputs):len(inputs)])
		d = d[len(inputs):]
	}
}

// answers returns the root and the derivatives.
func (b *laneBuilder) answers() []circuit.Node { return append(slices.Concat(b.by...), b.root) }

// lay writes the program and returns its entry, with the derivatives by axis as results.
func (b *laneBuilder) lay() *ir.Entry {
	b.element = make([]int32, b.c.Len())
	for axis, inputs := range b.inputs {
		b.hold(&b.step.In, ir.Span{Role: ir.RoleIn, Var: b.scope[axis]}, inputs)
	}
	b.hold(&b.step.In, ir.Span{Role: ir.RoleConst, Var: -1, Data: []float64{0, 1}}, []circuit.Node{circuit.Zero, circuit.One})
	b.hold(&b.step.In, ir.Span{Role: ir.RoleParam, Var: -1, Data: b.values}, b.numbers)
	var nodes []circuit.Node
	for i, uses := range b.c.Uses(b.answers()) {
		if n := circuit.Node(i); uses > 0 && b.c.Op(n) >= circuit.Sum {
			nodes = append(nodes, n)
		}
	}
	b.hold(&b.step.Out, ir.Span{Role: ir.RoleTemp, Var: -1}, nodes)
	for _, n := range nodes {
		x, y := b.c.Args(n)
		if b.c.Op(n) == circuit.Prod {
			b.set(b.element[n], [2]int32{b.element[x], b.element[y]})
		} else {
			b.set(b.element[n], [2]int32{b.element[x], -1}, [2]int32{b.element[y], -1})
		}
	}
	b.program.Blocks = []ir.Block{{Steps: []ir.Step{b.step}}}
	e := &ir.Entry{Blocks: []int{0}, Exp: ir.NoSpan, Root: b.result(-1, []circuit.Node{b.root})}
	for axis, by := range b.by {
		e.Outs = append(e.Outs, b.result(b.scope[axis], by))
	}
	return e
}

// hold adds a span of nodes to the program and to an operand of the step.
func (b *laneBuilder) hold(operand *[]ir.SpanID, s ir.Span, nodes []circuit.Node) {
	for i, n := range nodes {
		b.element[n] = b.size + int32(i)
	}
	s.Len = len(nodes)
	b.span(operand, s)
}

// span adds a span to the program and to an operand of the step.
func (b *laneBuilder) span(operand *[]ir.SpanID, s ir.Span) ir.SpanID {
	size := &b.program.Work
	if s.ReadOnly() {
		size = &b.program.Data
	}
	s.Offset = *size
	*size += s.Len
	b.size += int32(s.Len)
	id := ir.SpanID(len(b.program.Spans))
	b.program.Spans = append(b.program.Spans, s)
	*operand = append(*operand, id)
	return id
}

// set adds a node that sets an element to a sum.
func (b *laneBuilder) set(element int32, terms ...[2]int32) {
	s := b.step
	s.Set, s.Terms = append(s.Set, element), append(s.Terms, terms...)
	s.First = append(s.First, int32(len(s.Terms)))
}

// result adds a span of copies of nodes.
func (b *laneBuilder) result(v model.VarID, nodes []circuit.Node) ir.SpanID {
	first := b.size
	for i, n := range nodes {
		b.set(first+int32(i), [2]int32{b.element[n], -1})
	}
	return b.span(&b.step.Out, ir.Span{Role: ir.RoleOut, Var: v, Len: len(nodes)})
}

// open returns the flipper that runs prog.
func (b *laneBuilder) open(e *ir.Entry, prog *lanes.Program) *laneFlipper {
	place := func(id ir.SpanID) int {
		at := b.program.Spans[id].Offset
		k := slices.IndexFunc(prog.Out, func(m lanes.Move) bool { return m.At <= at && at < m.At+m.Len })
		return (prog.Out[k].Slot + at - prog.Out[k].At) * pgmrt.Lanes
	}
	p := &laneFlipper{root: place(e.Root)}
	slots := prog.Slots
	var observed []assemble.Observation
	for axis, inputs := range b.inputs {
		p.slope, p.state = append(p.slope, place(e.Outs[axis])), append(p.state, -1)
		if first, ok := prog.Slot(b.program.Spans[b.step.In[axis]].Offset); ok {
			p.state[axis] = slots * pgmrt.Lanes
			observed = append(observed, assemble.Observation{State: slots, Likelihood: first, States: len(inputs)})
			slots++
		}
	}
	p.l = pgmrt.NewLanes(slots)
	data := make([]float64, b.program.Data)
	for i := range b.program.Spans {
		if s := &b.program.Spans[i]; s.ReadOnly() {
			copy(data[s.Offset:], s.Data)
		}
	}
	prog.Fill(p.l, data)
	p.code = prog.Code(assemble.LaneObserve(nil, observed...))
	return p
}

// most returns the largest value of an input.
func (b *laneBuilder) most(leaf int32) float64 {
	if leaf < 0 {
		return 1
	}
	return b.values[leaf]
}
