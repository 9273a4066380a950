package cbench

import (
	"errors"
	"fmt"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/symbolic"
)

// The limits of symbolic execution, in products formed, and of the text, in operations. A C
// compiler takes about a minute for that many operations.
const (
	maxProducts = 1 << 22
	maxOps      = 100_000
)

// trace is the symbolic execution of an entry, all blocks in one.
type trace struct {
	symbolic.Refuse // refuses steps that ln P(evidence) does not need
	x               *symbolic.Executor
	p               *ir.Program
	c               *circuit.Circuit
	leaves          []string          // C expressions of the circuit's inputs
	groups          []group           // rescaled and normalised groups, in order
	scaled          int               // number of nodes in groups
	inputs          map[ir.SpanID]int // index of each input span's first likelihood
}

// group holds nodes that are rescaled or normalised together. Their results are the elements of R
// from first on.
type group struct {
	nodes    []circuit.Node
	first    int
	function string // of C: rescale, normalize, invert or antilog
}

// execute runs the steps of an entry symbolically. inputs holds the index of the first likelihood
// of each input span. reals says whether the model has real variables.
func execute(p *ir.Program, e *ir.Entry, inputs map[ir.SpanID]int, reals bool) (*trace, error) {
	t := &trace{Refuse: refuse, p: p, c: circuit.New(), inputs: inputs}
	if reals {
		t.c = circuit.NewSigned()
	}
	t.x = symbolic.New(p, t.c, maxProducts, t)
	t.x.Whole = true
	for _, step := range steps(p, e) {
		if err := t.x.Step(step); err != nil {
			if errors.Is(err, symbolic.ErrLimit) {
				err = fmt.Errorf("%w: more than %d products", ErrTooLarge, maxProducts)
			}
			return nil, err
		}
	}
	return t, nil
}

// refuse returns the error for a program that has something other than sums of products.
func refuse(found string) error { return errors.New("no C reference for " + found) }

// Input implements symbolic.Client. Elements that are neither inputs nor data are zero; a verified
// program writes them before it reads them.
func (t *trace) Input(id ir.SpanID, i int) circuit.Node {
	span := &t.p.Spans[id]
	first, input := t.inputs[id]
	switch {
	case input:
		return t.leaf(fmt.Sprintf("L[%d]", first+i))
	case span.ReadOnly():
		return t.c.Const(span.Data[i])
	}
	return circuit.Zero
}

func (t *trace) leaf(text string) circuit.Node {
	t.leaves = append(t.leaves, text)
	return t.c.Input(int32(len(t.leaves) - 1))
}

// Rescale implements symbolic.Client.
func (t *trace) Rescale(s *ir.Rescale) error { return t.together(s.Span, "rescale") }

// Normalize implements symbolic.Client.
func (t *trace) Normalize(s *ir.Normalize) error { return t.together(s.Span, "normalize") }

// Invert implements symbolic.Client.
func (t *trace) Invert(s *ir.Invert) error {
	t.x.Set(s.Out, 0, t.x.Element(s.In, 0))
	return t.together(s.Out, "invert")
}

// together adds the group of a span's elements. Folding and sharing end at it: its results are new
// inputs of the circuit.
func (t *trace) together(id ir.SpanID, function string) error {
	g := group{first: t.scaled, function: function}
	for i, n := range t.x.Elements(id) {
		if n == circuit.Zero {
			continue
		}
		t.x.Set(id, i, t.leaf(fmt.Sprintf("R[%d]", g.first+len(g.nodes))))
		g.nodes = append(g.nodes, n)
	}
	t.scaled += len(g.nodes)
	t.groups = append(t.groups, g)
	return nil
}

// Signed implements symbolic.Client.
func (*trace) Signed() error { return nil }

// Call implements symbolic.Client.
func (t *trace) Call(s ir.Step) error {
	a, ok := s.(*ir.Antilog)
	if !ok {
		return t.Refuse.Call(s)
	}
	g := group{first: t.scaled, function: "antilog"}
	for _, id := range []ir.SpanID{a.In, a.Weight} {
		for i := range t.p.Spans[id].Len {
			g.nodes = append(g.nodes, t.x.Element(id, i))
		}
	}
	for i := range t.p.Spans[a.Out].Len {
		t.x.Set(a.Out, i, t.leaf(fmt.Sprintf("R[%d]", g.first+i)))
	}
	t.x.Set(a.Most, 0, t.leaf(fmt.Sprintf("R[%d]", g.first+len(g.nodes))))
	t.scaled += len(g.nodes) + 1
	t.groups = append(t.groups, g)
	return nil
}
