package lanes

import (
	"github.com/pgmc-go/pgmc/codegen/backend/expand"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// unknown marks an element that has not been read or written yet.
const unknown circuit.Node = -1

// leaf says what an input of the circuit is: an element of a span that the caller sets, or the result of an action.
type leaf struct {
	span   ir.SpanID // NoSpan for a result
	at     int
	action Action // Nothing for an element
	from   circuit.Node
	count  bool
}

// trace is the symbolic execution of an entry.
type trace struct {
	p      *ir.Program
	e      *ir.Entry
	c      *circuit.Circuit
	left   int              // products that may still be formed
	nodes  int              // the most nodes
	now    [][]circuit.Node // the elements of each span
	leaves []leaf
}

func (t *trace) run() error {
	for _, b := range t.e.Blocks {
		for _, step := range t.p.Blocks[b].Steps {
			if err := t.step(step); err != nil {
				return err
			}
			if t.left < 0 {
				return ErrSize
			}
		}
	}
	for _, id := range append([]ir.SpanID{t.e.Root}, t.e.Outs...) {
		if id == ir.NoSpan {
			continue
		}
		for i := range t.elements(id) {
			if t.element(id, i) == unknown {
				return ErrStep
			}
		}
	}
	return nil
}

func (t *trace) step(step ir.Step) error {
	for _, id := range ir.ReadSpans(step) {
		if s := &t.p.Spans[id]; s.Elem == ir.Float64 && s.Role != ir.RoleIn && !s.ReadOnly() && t.now[id] == nil {
			return ErrStep // a number that another entry left
		}
	}
	switch s := step.(type) { // the steps that lanes take; each is executed on symbols in its own way
	case *ir.Contract:
		return t.contract(s)
	case *ir.Sums:
		return t.sums(s)
	case *ir.Normalize:
		t.normalize(s.Span)
	case *ir.Rescale:
		t.rescale(s)
	case *ir.Zero:
		return t.zero(s.Span)
	default:
		return ErrStep
	}
	return nil
}

// elements gives the nodes of a span, constants known from the beginning.
func (t *trace) elements(id ir.SpanID) []circuit.Node {
	if t.now[id] == nil {
		s := &t.p.Spans[id]
		t.now[id] = make([]circuit.Node, s.Len)
		for i := range t.now[id] {
			t.now[id][i] = unknown
			if s.Role == ir.RoleConst {
				t.now[id][i] = t.c.Const(s.Data[i])
			}
		}
	}
	return t.now[id]
}

// element reads one element of a span: unknown where nothing has set it.
func (t *trace) element(id ir.SpanID, i int) circuit.Node {
	now := t.elements(id)
	if role := t.p.Spans[id].Role; now[i] == unknown && (role == ir.RoleIn || role == ir.RoleParam) {
		now[i] = t.input(leaf{span: id, at: i})
	}
	return now[i]
}

func (t *trace) input(l leaf) circuit.Node {
	t.leaves = append(t.leaves, l)
	return t.c.Input(int32(len(t.leaves) - 1))
}

func (t *trace) contract(c *ir.Contract) error {
	for _, a := range c.Axes {
		if a.Kind == ir.AxisFixed {
			return ErrStep
		}
	}
	if c.Reduce == ir.ReduceMax {
		return ErrStep
	}
	order := expand.Order(c.Axes, c.In)
	to := t.elements(c.Out.Span)
	x := expand.Expansion{Circuit: t.c, Left: &t.left, Out: permuted(c.Out.Stride, order),
		Set: func(offset int, n circuit.Node) {
			if to[offset] = n; t.c.Len() > t.nodes {
				t.left = -1
			}
		}}
	for _, a := range order {
		x.Axes = append(x.Axes, expand.Axis{Size: c.Axes[a].Size, Reduced: c.Axes[a].Kind == ir.AxisReduced})
	}
	for _, v := range c.In {
		at := func(offset int) circuit.Node { return t.element(v.Span, offset) }
		x.In = append(x.In, expand.Operand{Stride: permuted(v.Stride, order), At: at})
	}
	if x.Run() != nil {
		return ErrSize
	}
	return nil
}

func permuted(stride, order []int) []int {
	out := make([]int, len(order))
	for i, a := range order {
		out[i] = stride[a]
	}
	return out
}

// sums takes the nodes of a circuit over.
func (t *trace) sums(s *ir.Sums) error {
	if t.left -= len(s.Terms); t.left < 0 || t.c.Len() > t.nodes {
		return ErrSize
	}
	if s.Max {
		return ErrStep
	}
	places := s.Places(t.p)
	read := func(e int32) circuit.Node { return t.element(s.SpanAt(places[e].Span), places[e].At) }
	for i, e := range s.Set {
		sum := circuit.Zero
		for _, term := range s.Terms[s.First[i]:s.First[i+1]] {
			x := read(term[0])
			if term[1] >= 0 {
				x = t.c.Prod(x, read(term[1]))
			}
			sum = t.c.Sum(sum, x)
		}
		t.elements(s.SpanAt(places[e].Span))[places[e].At] = sum
	}
	return nil
}

// fold reduces the elements of a span.
func (t *trace) fold(id ir.SpanID, op func(a, b circuit.Node) circuit.Node) circuit.Node {
	all := circuit.Zero
	for i := range t.elements(id) {
		all = op(all, t.element(id, i))
	}
	return all
}

// times multiplies the elements of a span by the result of an action.
func (t *trace) times(id ir.SpanID, do Action, from circuit.Node, count bool) {
	f := t.input(leaf{span: ir.NoSpan, action: do, from: from, count: count})
	for i, n := range t.elements(id) {
		t.elements(id)[i] = t.c.Prod(n, f)
	}
}

// normalize multiplies by the reciprocal of the sum.
func (t *trace) normalize(id ir.SpanID) {
	if sum := t.fold(id, t.c.Sum); sum != circuit.Zero && sum != circuit.One {
		t.times(id, Invert, sum, false)
	}
}

func (t *trace) rescale(s *ir.Rescale) {
	if top := t.fold(s.Span, t.c.Max); top != circuit.Zero {
		t.times(s.Span, Scale, top, s.Exp != ir.NoSpan && s.Exp == t.e.Exp)
	}
}

// zero clears a span. Exponents start at zero by themselves.
func (t *trace) zero(id ir.SpanID) error {
	if t.p.Spans[id].Elem == ir.Int32 {
		for _, l := range t.leaves {
			if l.count && id == t.e.Exp {
				return ErrStep
			}
		}
		return nil
	}
	for i := range t.elements(id) {
		t.elements(id)[i] = circuit.Zero
	}
	return nil
}
