package unroll

import (
	"github.com/pgmc-go/pgmc/codegen/backend/expand"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// unknown marks an element that the block has neither read nor written yet.
const unknown circuit.Node = -1

// kind is what an action does, beside arithmetic.
type kind uint8

const (
	store   kind = iota // s[at] = nodes[0]
	load                // results[0] = s[at], because s[at] changes before the last use
	window              // results[i] = element index[i] of memory from a computed base
	spread              // element index[i] of memory from a computed base = nodes[i]
	norm                // results are two factors that divide by nodes[0], or leave zeros
	scale               // results[0] is the power of two that brings nodes[0] into [1, 2); t[at] counts
	pick                // t[at] = a state by the weights nodes
	clear               // t[at] to t[at+size-1] are 0
	descend             // a walk through memory
	call                // a function of the runtime, through memory
)

func (k kind) ns() float64 {
	return [...]float64{0, 0, nsWindow, nsWindow, nsDivide, nsDivide, nsPick, 0, 0, 0}[k]
}

// action is something that has to happen in order. What its nodes need is computed before it.
type action struct {
	kind    kind
	at      int // of store, load, scale (-1: nobody counts), pick and clear
	size    int // of clear
	nodes   []circuit.Node
	base    string // of window and spread: the offset as Go text, and the memory
	mem     string
	index   []int
	results []circuit.Node // inputs of the circuit that the action defines
	mode    ir.PickMode
	walk    *ir.Walk
	step    ir.Step   // of call
	span    ir.SpanID // for a comment; NoSpan where there is none
}

// leaf says what an input of the circuit is: an element of memory, or the result of an action.
type leaf struct {
	mem    string // "s" or "p"; "" for a result
	offset int
	born   int // the number of actions before it was read
}

// trace is the symbolic execution of a block.
type trace struct {
	p       *ir.Program
	c       *circuit.Circuit
	now     [][]circuit.Node // the elements of each span as the block sees them
	mem     [][]circuit.Node // the same as memory holds them
	touched []bool           // spans that a computed offset reaches
	leaves  []leaf
	actions []action
	origin  map[circuit.Node]ir.SpanID // the span that a node was first an element of
	left    int
	last    []ir.SpanID // answers to normalise in memory when all else is done
}

// execute runs a block on symbols and stores what others read of it.
func execute(p *ir.Program, b *ir.Block, r readers) (*trace, error) {
	t := &trace{
		p: p, c: circuit.New(), left: maxProducts,
		now: make([][]circuit.Node, len(p.Spans)), mem: make([][]circuit.Node, len(p.Spans)),
		touched: make([]bool, len(p.Spans)), origin: map[circuit.Node]ir.SpanID{},
	}
	for i, s := range b.Steps {
		if n, ok := s.(*ir.Normalize); ok && isAnswer(p, n.Span, b.Steps[i+1:]) {
			t.last = append(t.last, n.Span)
			continue
		}
		if err := t.step(s); err != nil {
			return nil, err
		}
	}
	for _, id := range r.liveAfter(b, lastWrites(p, b)) {
		t.flush(id)
	}
	t.keepOverwritten()
	t.dropDead()
	return t, nil
}

// step executes a step on symbols. It switches on the kinds because each has its own meaning for symbols,
// and because the arms, one line each, say at a glance which steps are unrolled: all others are calls.
func (t *trace) step(s ir.Step) error {
	switch s := s.(type) {
	case *ir.Contract:
		return t.contract(s)
	case *ir.Sums:
		return t.sums(s)
	case *ir.Pick:
		t.pick(s)
	case *ir.Walk:
		t.walk(s)
	case *ir.Normalize:
		t.normalize(s.Span)
	case *ir.Rescale:
		t.rescale(s)
	case *ir.Zero:
		t.zero(s.Span)
	case *ir.Lookup:
		t.lookup(s)
	default:
		t.call(s)
	}
	return nil
}

// elements gives the nodes of a span, constants known from the beginning.
func (t *trace) elements(id ir.SpanID) []circuit.Node {
	if t.now[id] == nil {
		sp := &t.p.Spans[id]
		t.now[id] = make([]circuit.Node, sp.Len)
		t.mem[id] = make([]circuit.Node, sp.Len)
		for i := range t.now[id] {
			t.now[id][i] = unknown
			if sp.Role == ir.RoleConst {
				t.now[id][i] = t.c.Const(sp.Data[i])
			}
			t.mem[id][i] = t.now[id][i]
		}
	}
	return t.now[id]
}

// element reads one element of a span.
func (t *trace) element(id ir.SpanID, i int) circuit.Node {
	now := t.elements(id)
	if now[i] == unknown {
		sp := &t.p.Spans[id]
		mem := "s"
		if sp.ReadOnly() {
			mem = "p"
		}
		now[i] = t.input(leaf{mem: mem, offset: sp.Offset + i, born: len(t.actions)})
		t.mem[id][i] = now[i]
	}
	return now[i]
}

func (t *trace) input(l leaf) circuit.Node {
	t.leaves = append(t.leaves, l)
	return t.c.Input(int32(len(t.leaves) - 1))
}

// set writes one element of a span, for the block to see.
func (t *trace) set(id ir.SpanID, i int, n circuit.Node) {
	t.elements(id)[i] = n
	if _, ok := t.origin[n]; !ok && t.c.Op(n) >= circuit.Sum {
		t.origin[n] = id
	}
}

// flush stores the elements of a span that memory does not hold yet.
func (t *trace) flush(id ir.SpanID) {
	for i, n := range t.elements(id) {
		if n != t.mem[id][i] {
			t.actions = append(t.actions, action{kind: store, at: t.p.Spans[id].Offset + i, nodes: []circuit.Node{n}, span: id})
			t.mem[id][i] = n
		}
	}
}

func (t *trace) contract(c *ir.Contract) error {
	order := expand.Order(c.Axes, c.In)
	x := expand.Expansion{Circuit: t.c, Max: c.Reduce == ir.ReduceMax, Left: &t.left, Out: permuted(c.Out.Stride, order)}
	for _, a := range order {
		x.Axes = append(x.Axes, expand.Axis{Size: c.Axes[a].Size, Reduced: c.Axes[a].Kind == ir.AxisReduced})
	}
	for _, v := range c.In {
		x.In = append(x.In, expand.Operand{Stride: permuted(v.Stride, order), At: t.reader(c.Axes, v)})
	}
	var finish func()
	x.Set, finish = t.writer(c.Axes, c.Out)
	if err := x.Run(); err != nil {
		return err
	}
	finish()
	return nil
}

func permuted(stride, order []int) []int {
	out := make([]int, len(order))
	for i, a := range order {
		out[i] = stride[a]
	}
	return out
}

// normalize multiplies by the reciprocal of the sum: one division a span. The other factor keeps the reciprocal finite.
func (t *trace) normalize(id ir.SpanID) {
	sum := circuit.Zero
	for i := range t.elements(id) {
		sum = t.c.Sum(sum, t.element(id, i))
	}
	if sum == circuit.Zero || sum == circuit.One {
		return
	}
	if t.c.Op(sum) == circuit.Const {
		for i, n := range t.elements(id) {
			t.set(id, i, t.c.Const(t.c.Value(n)/t.c.Value(sum)))
		}
		return
	}
	u, r := t.input(leaf{}), t.input(leaf{})
	t.actions = append(t.actions, action{kind: norm, nodes: []circuit.Node{sum}, results: []circuit.Node{u, r}, span: ir.NoSpan})
	for i, n := range t.elements(id) {
		t.set(id, i, t.c.Prod(t.c.Prod(n, u), r))
	}
}

func (t *trace) rescale(s *ir.Rescale) {
	top := circuit.Zero
	for i := range t.elements(s.Span) {
		top = t.c.Max(top, t.element(s.Span, i))
	}
	if top == circuit.Zero {
		return
	}
	at := -1
	if s.Exp != ir.NoSpan {
		at = t.p.Spans[s.Exp].Offset
	}
	f := t.input(leaf{})
	t.actions = append(t.actions, action{kind: scale, at: at, nodes: []circuit.Node{top}, results: []circuit.Node{f}, span: ir.NoSpan})
	for i, n := range t.elements(s.Span) {
		t.set(s.Span, i, t.c.Prod(n, f))
	}
}

func (t *trace) zero(id ir.SpanID) {
	sp := &t.p.Spans[id]
	if sp.Elem == ir.Int32 {
		t.actions = append(t.actions, action{kind: clear, at: sp.Offset, size: sp.Len, span: ir.NoSpan})
		return
	}
	for i := range t.elements(id) {
		t.set(id, i, circuit.Zero)
	}
}

// roots gives what the actions need.
func (t *trace) roots() []circuit.Node {
	var roots []circuit.Node
	for _, a := range t.actions {
		roots = append(roots, a.nodes...)
	}
	return roots
}
