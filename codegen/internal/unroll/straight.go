package unroll

import (
	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// Straight is a block that takes nothing but loads, stores, reciprocals, sums, products and maxima,
// or, with numbers of either sign, sums, differences, products, quotients and square roots. Its
// operations are the Go code's that Emit writes, so that another printer of the events gives the
// same bits.
type Straight struct {
	Circuit *circuit.Circuit
	Events  []Event
	t       *trace
}

// Event computes a node or moves one between memory and a register.
type Event struct {
	Kind EventKind
	Node circuit.Node
	From circuit.Node // of Invert: the node whose reciprocal Node is
	At   int          // of Load and Store: the element of work memory
	Span ir.SpanID    // that the node or the element belongs to, for comments; may be NoSpan
}

// EventKind is what an event does.
type EventKind uint8

// The kinds of event.
const (
	Compute EventKind = iota // the operation of Node
	Invert                   // Node is 1 / From, or 1 if that is 0
	Load                     // Node is element At, which changes before the last use of Node
	Store                    // element At becomes Node
	Home                     // as Store, and nothing else sets or reads the element: it holds Node from now on
)

// StraightOf returns b as events, and false if it takes more than those, or more than most
// operations. Operands precede the operations that read them, and those that need more registers
// come first (Sethi and Ullman 1970).
func StraightOf(p *ir.Program, b *ir.Block, r backend.Readers, most int) (*Straight, bool) {
	if circuitOps(p, b) > most {
		return nil, false
	}
	t, err := execute(p, b, r, nil, 2*inputsPerOp*most) // not all of the nodes are needed
	if err != nil || len(t.last) > 0 || !plain(t.c, t.roots()) || t.c.Size(t.roots()) > most {
		return nil, false
	}
	o := newOrdering(t)
	for i := range t.actions {
		a := &t.actions[i]
		switch a.kind {
		case load:
			o.done[a.results[0]] = true
			o.add(Event{Kind: Load, Node: a.results[0], At: a.at, Span: a.span})
		case invert:
			o.visit(a.nodes[0])
			o.done[a.results[0]] = true
			o.add(Event{Kind: Invert, Node: a.results[0], From: a.nodes[0], Span: a.span})
		case store:
			n := a.nodes[0]
			o.visit(n)
			if o.home[n] != a {
				o.add(Event{Kind: Store, Node: n, At: a.at, Span: a.span})
			}
		default:
			return nil, false
		}
	}
	return o.Straight, true
}

// plain reports whether the roots take no operations but a Straight's. The maximum of a processor
// differs from Go's for zeros of either sign.
func plain(c *circuit.Circuit, roots []circuit.Node) bool {
	if !c.Signed() {
		return true
	}
	for n, uses := range c.Uses(roots) {
		switch c.Op(circuit.Node(n)) {
		case circuit.Const, circuit.Input, circuit.Sum, circuit.Prod, circuit.Sub, circuit.Quot, circuit.Sqrt:
		default:
			if uses > 0 {
				return false
			}
		}
	}
	return true
}

// Leaf returns the place of an input: an element of work memory, or of data memory. It returns
// false for the results of loads.
func (s *Straight) Leaf(n circuit.Node) (at int, data, ok bool) {
	l := &s.t.leaves[s.Circuit.Leaf(n)]
	return l.offset, l.mem == "p", l.mem != ""
}

// needs returns, by node, the registers that its expression takes if nothing is shared.
func needs(c *circuit.Circuit) []uint8 {
	need := make([]uint8, c.Len())
	for n := range circuit.Node(c.Len()) {
		if c.Op(n) < circuit.Sum {
			continue // an operand in memory
		}
		a, b := c.Args(n)
		need[n] = max(need[a], need[b], 1)
		if need[a] == need[b] && need[a] > 0 {
			need[n]++
		}
	}
	return need
}

// ordering is the state of StraightOf.
type ordering struct {
	*Straight
	home map[circuit.Node]*action // the store of a node to its home
	done []bool
	need []uint8
}

func newOrdering(t *trace) *ordering {
	o := &ordering{Straight: &Straight{Circuit: t.c, t: t}, home: map[circuit.Node]*action{}, done: make([]bool, t.c.Len()), need: needs(t.c)}
	homes := t.homes()
	for i := range t.actions {
		a := &t.actions[i]
		if a.kind != store || t.c.Op(a.nodes[0]) < circuit.Sum {
			continue
		}
		if at, ok := homes[a.nodes[0]]; ok && at == a.at {
			o.home[a.nodes[0]] = a
		}
	}
	return o
}

func (o *ordering) add(e Event) { o.Events = append(o.Events, e) }

// visit adds the events that compute a node.
func (o *ordering) visit(n circuit.Node) {
	if o.Circuit.Op(n) < circuit.Sum || o.done[n] {
		return
	}
	o.done[n] = true
	a, b := o.Circuit.Args(n)
	if o.need[b] > o.need[a] {
		a, b = b, a
	}
	o.visit(a)
	o.visit(b)
	o.add(Event{Kind: Compute, Node: n, Span: o.t.originOf(n)})
	if a := o.home[n]; a != nil {
		o.add(Event{Kind: Home, Node: n, At: a.at, Span: a.span})
	}
}
