package unroll

import (
	"slices"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/price"
	"github.com/pgmc-go/pgmc/ir/symbolic"
)

// kind is what an action does.
type kind uint8

const (
	store   kind = iota // s[at] = nodes[0]
	load                // results[0] = s[at], because s[at] changes before the last use
	window              // results[i] = element index[i] of memory from a computed offset
	spread              // element index[i] of memory from a computed offset = nodes[i]
	norm                // results are two factors that divide by nodes[0], and leave zeros if it is 0
	invert              // results[0] is 1 / nodes[0], or 1 if that is 0
	scale               // results[0] is the power of two that brings nodes[0] into [1, 2); t[at] counts
	pick                // t[at] = a state chosen by the weights nodes
	clear               // t[at] to t[at+size-1] are 0
	descend             // a walk, in memory
	call                // a call of the runtime, in memory
)

func (k kind) ns() float64 {
	return [...]float64{0, 0, price.Straight.Window, price.Straight.Window, price.Straight.Divide, price.Straight.Divide, price.Straight.Divide, price.Straight.Pick, 0, 0, 0}[k]
}

// action is an effect that must happen in order. The nodes that it needs are computed before it.
type action struct {
	kind    kind
	at      int // of store, load, scale (-1: no exponent), pick and clear
	size    int // of clear
	nodes   []circuit.Node
	base    string // of window and spread: the offset as Go text, and the memory
	mem     string
	index   []int
	results []circuit.Node // inputs of the circuit that the action defines
	mode    ir.PickMode
	walk    *ir.Walk
	step    ir.Step   // of call
	span    ir.SpanID // for a comment; may be NoSpan
}

// leaf is an input of the circuit: an element of memory, or the result of an action.
type leaf struct {
	mem    string // "s" or "p"; "" for a result
	offset int
	born   int // the number of actions before it was read
}

// trace is the symbolic execution of a block.
type trace struct {
	x        *symbolic.Executor
	p        *ir.Program
	c        *circuit.Circuit
	mem      [][]circuit.Node // by span: the nodes that memory holds; nil if it holds none
	inMemory []bool           // spans that actions address in memory
	leaves   []leaf
	actions  []action
	origin   []ir.SpanID      // by node: the span that it was first an element of; NoSpan for none
	last     []ir.SpanID      // answers to normalise in memory after all other statements
	inverted func(*ir.Invert) // is called after each Invert, unless it is nil
	nodes    int              // the most nodes that the circuit may have
}

// execute runs a block symbolically, and stores the results that the caller or other blocks read.
// The error is symbolic.ErrLimit if that takes more than the given number of nodes.
func execute(p *ir.Program, b *ir.Block, r backend.Readers, sums Sums, nodes int) (*trace, error) {
	t := &trace{
		p: p, c: circuitFor(b), mem: make([][]circuit.Node, len(p.Spans)),
		inMemory: make([]bool, len(p.Spans)), nodes: nodes,
	}
	t.x = symbolic.New(p, t.c, maxProducts, t)
	if sums != nil {
		t.x.Contract, t.inverted = sums.Contractions(t.x, t.c)
	}
	answers := backend.Answers(p, b.Steps)
	for i, s := range b.Steps {
		if answers[i] {
			t.last = append(t.last, s.(*ir.Normalize).Span)
			continue
		}
		if err := t.x.Step(s); err != nil {
			return nil, err
		}
	}
	for _, id := range r.LiveAfter(b, lastWrites(p, b)) {
		t.flush(id)
	}
	t.keepOverwritten()
	t.dropDead()
	return t, nil
}

// Input implements symbolic.Client. The element is read from memory.
func (t *trace) Input(id ir.SpanID, i int) circuit.Node {
	sp := &t.p.Spans[id]
	n := t.input(leaf{mem: memoryOf(sp), offset: sp.Offset + i, born: len(t.actions)})
	t.held(id)[i] = n
	return n
}

// Stored implements symbolic.Client. It notes the first span of each operation, and ends the
// execution if there are too many nodes.
func (t *trace) Stored(id ir.SpanID, n circuit.Node) {
	if t.c.Len() > t.nodes {
		t.x.Left = -1
	}
	if t.c.Op(n) < circuit.Sum {
		return
	}
	for int(n) >= len(t.origin) {
		t.origin = append(t.origin, ir.NoSpan)
	}
	if t.origin[n] == ir.NoSpan {
		t.origin[n] = id
	}
}

// originOf returns the span that n was first an element of, or NoSpan.
func (t *trace) originOf(n circuit.Node) ir.SpanID {
	if int(n) < len(t.origin) {
		return t.origin[n]
	}
	return ir.NoSpan
}

// Maxima implements symbolic.Client.
func (*trace) Maxima() error { return nil }

// Signed implements symbolic.Client.
func (*trace) Signed() error { return nil }

// circuitFor returns an empty circuit for the steps of b, which is signed if some are on numbers of
// either sign.
func circuitFor(b *ir.Block) *circuit.Circuit {
	if slices.ContainsFunc(b.Steps, func(s ir.Step) bool { _, ok := s.(*ir.Map); return ok }) {
		return circuit.NewSigned()
	}
	return circuit.New()
}

// memoryOf returns the local variable for the memory of a span.
func memoryOf(s *ir.Span) string {
	if s.ReadOnly() {
		return "p"
	}
	return "s"
}

// held returns the nodes of a span that memory holds; they are symbolic.Unknown at first.
func (t *trace) held(id ir.SpanID) []circuit.Node {
	if t.mem[id] == nil {
		t.mem[id] = slices.Repeat([]circuit.Node{symbolic.Unknown}, t.p.Spans[id].Len)
	}
	return t.mem[id]
}

// forget records that from now on only memory holds the elements of a span.
func (t *trace) forget(id ir.SpanID) {
	t.x.Forget(id)
	t.mem[id] = nil
}

func (t *trace) input(l leaf) circuit.Node {
	t.leaves = append(t.leaves, l)
	return t.c.Input(int32(len(t.leaves) - 1))
}

// flush stores the elements of a span that memory does not hold yet.
func (t *trace) flush(id ir.SpanID) {
	mem := t.held(id)
	for i, n := range t.x.Elements(id) {
		if n != mem[i] {
			t.actions = append(t.actions, action{kind: store, at: t.p.Spans[id].Offset + i, nodes: []circuit.Node{n}, span: id})
			mem[i] = n
		}
	}
}

// Normalize multiplies by the reciprocal of the sum, so that a span takes one division. A second
// factor keeps the reciprocal finite.
func (t *trace) Normalize(s *ir.Normalize) error {
	sum := t.x.Fold(s.Span, t.c.Sum)
	switch {
	case sum == circuit.Zero || sum == circuit.One:
	case t.c.Op(sum) == circuit.Const:
		for i, n := range t.x.Elements(s.Span) {
			t.x.Set(s.Span, i, t.c.Const(t.c.Value(n)/t.c.Value(sum)))
		}
	default:
		u, r := t.input(leaf{}), t.input(leaf{})
		t.actions = append(t.actions, action{kind: norm, nodes: []circuit.Node{sum}, results: []circuit.Node{u, r}, span: ir.NoSpan})
		t.x.Times(s.Span, u, r)
	}
	return nil
}

// Invert implements symbolic.Client.
func (t *trace) Invert(s *ir.Invert) error {
	r := t.input(leaf{})
	t.actions = append(t.actions, action{kind: invert, nodes: []circuit.Node{t.x.Element(s.In, 0)}, results: []circuit.Node{r}, span: s.Out})
	t.x.Set(s.Out, 0, r)
	if t.inverted != nil {
		t.inverted(s)
	}
	return nil
}

// Rescale multiplies by the power of two that brings the largest number into [1, 2).
func (t *trace) Rescale(s *ir.Rescale) error {
	top := t.x.Fold(s.Span, t.c.Max)
	if top == circuit.Zero {
		return nil
	}
	at := -1
	if s.Exp != ir.NoSpan {
		at = t.p.Spans[s.Exp].Offset
	}
	f := t.input(leaf{})
	t.actions = append(t.actions, action{kind: scale, at: at, nodes: []circuit.Node{top}, results: []circuit.Node{f}, span: ir.NoSpan})
	t.x.Times(s.Span, f)
	return nil
}

// Clear implements symbolic.Client. Integers are in memory only.
func (t *trace) Clear(id ir.SpanID) error {
	sp := &t.p.Spans[id]
	t.actions = append(t.actions, action{kind: clear, at: sp.Offset, size: sp.Len, span: ir.NoSpan})
	return nil
}

// roots returns the nodes that the actions need.
func (t *trace) roots() []circuit.Node {
	var roots []circuit.Node
	for _, a := range t.actions {
		roots = append(roots, a.nodes...)
	}
	return roots
}
