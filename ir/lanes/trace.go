package lanes

import (
	"errors"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/symbolic"
)

// leaf is an input of the circuit: an element of a span that the caller sets, or the result of an
// action.
type leaf struct {
	span   ir.SpanID // NoSpan for a result
	at     int
	action action // nothing for an element
	from   circuit.Node
	count  bool
}

// trace is the symbolic execution of an entry.
type trace struct {
	symbolic.Refuse // for steps that lanes cannot run
	x               *symbolic.Executor
	p               *ir.Program
	e               *ir.Entry
	c               *circuit.Circuit
	nodes           int // the bound on the number of nodes
	leaves          []leaf
}

func newTrace(p *ir.Program, e *ir.Entry, most Limit) *trace {
	t := &trace{
		Refuse: func(string) error { return ErrStep },
		p:      p, e: e, c: circuit.New(), nodes: wasted * most.Ops,
	}
	for _, b := range e.Blocks {
		if slices.ContainsFunc(p.Blocks[b].Steps, func(s ir.Step) bool { _, signed := s.(*ir.Map); return signed }) {
			t.c = circuit.NewSigned()
		}
	}
	t.x = symbolic.New(p, t.c, most.Products, t)
	return t
}

func (t *trace) run() error {
	for _, b := range t.e.Blocks {
		for _, step := range t.p.Blocks[b].Steps {
			if err := t.step(step); err != nil {
				return err
			}
		}
	}
	for _, id := range t.e.Answers() {
		for i := range t.x.Elements(id) {
			if t.x.Element(id, i) == symbolic.Unknown {
				return ErrStep
			}
		}
	}
	for n := range circuit.Node(t.c.Len()) {
		if op := t.c.Op(n); op > circuit.Max && op != circuit.Sub && !assemble.InLanes(op) {
			return ErrStep
		}
	}
	return nil
}

// step executes a step. It refuses a step that reads a result of an earlier entry.
func (t *trace) step(step ir.Step) error {
	for _, id := range ir.ReadSpans(step) {
		if s := &t.p.Spans[id]; s.Elem == ir.Float64 && s.Role != ir.RoleIn && !s.ReadOnly() && !t.x.Used(id) && !enters(t.e, id) {
			return ErrStep
		}
	}
	err := t.x.Step(step)
	if errors.Is(err, symbolic.ErrLimit) || err == nil && t.x.Left < 0 {
		return errSize
	}
	return err
}

// Input implements symbolic.Client. An element is an input if the caller sets it.
func (t *trace) Input(id ir.SpanID, i int) circuit.Node {
	if role := t.p.Spans[id].Role; role != ir.RoleIn && !role.IsParam() && !enters(t.e, id) {
		return symbolic.Unknown
	}
	return t.input(leaf{span: id, at: i})
}

// enters reports whether a span enters e by its stream, or as a column.
func enters(e *ir.Entry, id ir.SpanID) bool {
	return slices.Contains(e.Stream.Enters(), id)
}

// Signed implements symbolic.Client.
func (*trace) Signed() error { return nil }

// Stored implements symbolic.Client. It ends the execution if there are too many nodes.
func (t *trace) Stored(ir.SpanID, circuit.Node) {
	if t.c.Len() > t.nodes {
		t.x.Left = -1
	}
}

func (t *trace) input(l leaf) circuit.Node {
	t.leaves = append(t.leaves, l)
	return t.c.Input(int32(len(t.leaves) - 1))
}

// times multiplies the elements of a span by the result of an action.
func (t *trace) times(id ir.SpanID, do action, from circuit.Node, count bool) {
	t.x.Times(id, t.input(leaf{span: ir.NoSpan, action: do, from: from, count: count}))
}

// Normalize multiplies by the reciprocal of the sum.
func (t *trace) Normalize(s *ir.Normalize) error {
	if sum := t.x.Fold(s.Span, t.c.Sum); sum != circuit.Zero && sum != circuit.One {
		t.times(s.Span, invert, sum, false)
	}
	return nil
}

// Invert sets the result to the reciprocal.
func (t *trace) Invert(s *ir.Invert) error {
	from := t.x.Element(s.In, 0)
	t.x.Set(s.Out, 0, t.input(leaf{span: ir.NoSpan, action: invert, from: from}))
	return nil
}

// Rescale multiplies by the power of two that brings the largest number into [1, 2).
func (t *trace) Rescale(s *ir.Rescale) error {
	if top := t.x.Fold(s.Span, t.c.Max); top != circuit.Zero {
		t.times(s.Span, scale, top, s.Exp != ir.NoSpan && s.Exp == t.e.Exp)
	}
	return nil
}

// Clear refuses to clear an exponent to which a step has added. Exponents start at zero anyway.
func (t *trace) Clear(id ir.SpanID) error {
	for _, l := range t.leaves {
		if l.count && id == t.e.Exp {
			return ErrStep
		}
	}
	return nil
}
