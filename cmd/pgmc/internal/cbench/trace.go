package cbench

import (
	"errors"
	"fmt"

	"github.com/pgmc-go/pgmc/codegen/backend/expand"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// The sizes up to which programs are executed on symbols, in products formed, and written out, in operations: a C compiler takes
// about a minute for as many.
const (
	maxProducts = 1 << 22
	maxOps      = 100_000
)

// trace is the symbolic execution of an entry, all blocks in one.
type trace struct {
	p      *ir.Program
	c      *circuit.Circuit
	now    [][]circuit.Node  // the elements of each span
	leaves []string          // what the inputs of the circuit are in C
	groups []group           // what is rescaled, in order
	scaled int               // numbers in groups
	inputs map[ir.SpanID]int // where each input begins among the likelihoods
	left   int
}

// group is nodes that are rescaled together; the results are numbers of their own from first on.
type group struct {
	nodes []circuit.Node
	first int
}

// execute runs the steps of an entry on symbols; inputs says where the likelihoods of each input span begin.
func execute(p *ir.Program, e *ir.Entry, inputs map[ir.SpanID]int) (*trace, error) {
	t := &trace{p: p, c: circuit.New(), now: make([][]circuit.Node, len(p.Spans)), inputs: inputs, left: maxProducts}
	for _, step := range steps(p, e) {
		if err := t.step(e, step); err != nil {
			if errors.Is(err, expand.ErrLimit) {
				err = fmt.Errorf("%w: more than %d products", ErrTooLarge, maxProducts)
			}
			return nil, err
		}
	}
	return t, nil
}

func (t *trace) step(e *ir.Entry, step ir.Step) error {
	switch s := step.(type) { // the steps of ln P(evidence), each with its own meaning for symbols
	case *ir.Contract:
		return t.contract(s)
	case *ir.Sums:
		return t.sums(s)
	case *ir.Rescale:
		t.rescale(s)
		return nil
	case *ir.Zero:
		if s.Span == e.Exp {
			return nil // every query begins so
		}
		clear(t.elements(s.Span)) // circuit.Zero
		return nil
	}
	return unknownStep(step)
}

// unknownStep is for steps that ln P(evidence) does not need.
func unknownStep(step ir.Step) error { return fmt.Errorf("no C reference for a step of type %T", step) }

// elements gives the nodes of a span. What nobody set is zero; a verified program does not read it.
func (t *trace) elements(id ir.SpanID) []circuit.Node {
	if t.now[id] == nil {
		span := &t.p.Spans[id]
		t.now[id] = make([]circuit.Node, span.Len)
		first, input := t.inputs[id]
		for i := range t.now[id] {
			switch {
			case input:
				t.now[id][i] = t.leaf(fmt.Sprintf("L[%d]", first+i))
			case span.ReadOnly():
				t.now[id][i] = t.c.Const(span.Data[i])
			}
		}
	}
	return t.now[id]
}

func (t *trace) leaf(text string) circuit.Node {
	t.leaves = append(t.leaves, text)
	return t.c.Input(int32(len(t.leaves) - 1))
}

func (t *trace) contract(c *ir.Contract) error {
	if err := onlySums(c); err != nil {
		return err
	}
	order := expand.Order(c.Axes, c.In)
	along := func(stride []int) []int {
		out := make([]int, len(order))
		for i, a := range order {
			out[i] = stride[a]
		}
		return out
	}
	out := t.elements(c.Out.Span)
	x := expand.Expansion{Circuit: t.c, Left: &t.left, Out: along(c.Out.Stride), Set: func(i int, n circuit.Node) { out[i] = n }}
	for _, a := range order {
		x.Axes = append(x.Axes, expand.Axis{Size: c.Axes[a].Size, Reduced: c.Axes[a].Kind == ir.AxisReduced})
	}
	for _, v := range c.In {
		nodes := t.elements(v.Span)
		x.In = append(x.In, expand.Operand{Stride: along(v.Stride), At: func(i int) circuit.Node { return nodes[i] }})
	}
	return x.Run()
}

// onlySums refuses contractions that ln P(evidence) has none of.
func onlySums(c *ir.Contract) error {
	if c.Reduce == ir.ReduceMax {
		return errors.New("no C reference for maxima")
	}
	for _, a := range c.Axes {
		if a.Kind == ir.AxisFixed {
			return errors.New("no C reference for an axis that stands at a state")
		}
	}
	return nil
}

// sums takes the nodes of a circuit over as they are.
func (t *trace) sums(s *ir.Sums) error {
	if s.Max {
		return errors.New("no C reference for maxima")
	}
	if t.left -= len(s.Terms); t.left < 0 {
		return expand.ErrLimit
	}
	places := s.Places(t.p)
	at := func(e int32) *circuit.Node { return &t.elements(s.SpanAt(places[e].Span))[places[e].At] }
	for i, e := range s.Set {
		sum := circuit.Zero
		for _, term := range s.Terms[s.First[i]:s.First[i+1]] {
			x := *at(term[0])
			if term[1] >= 0 {
				x = t.c.Prod(x, *at(term[1]))
			}
			sum = t.c.Sum(sum, x)
		}
		*at(e) = sum
	}
	return nil
}

// rescale ends what can be folded and shared: what comes out are inputs again.
func (t *trace) rescale(s *ir.Rescale) {
	g := group{first: t.scaled}
	for i, n := range t.elements(s.Span) {
		if n == circuit.Zero {
			continue
		}
		t.now[s.Span][i] = t.leaf(fmt.Sprintf("R[%d]", g.first+len(g.nodes)))
		g.nodes = append(g.nodes, n)
	}
	t.scaled += len(g.nodes)
	t.groups = append(t.groups, g)
}
