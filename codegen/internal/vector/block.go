package vector

import (
	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/vector"
)

// event computes a node, or stores one as a group of a span.
type event struct {
	node  vector.ID
	span  ir.SpanID // NoSpan if the node is computed
	group int
	value value // of span
}

// value is a span after it was set a number of times.
type value struct {
	span    ir.SpanID
	version int32
}

// block holds the operations of a block, in the order in which they are written.
type block struct {
	p       *ir.Program
	graph   *vector.Graph
	events  []event
	dead    map[value]int // the number of events after which no step reads a value; absent if something else does
	needed  map[value]bool
	answers []ir.SpanID // to be normalised at the end
	sums    []vector.ID // the sums of the answers
	done    []bool      // by node: an event computes it
}

func newBlock(p *ir.Program, b *ir.Block, r backend.Readers) *block {
	x := &block{p: p, graph: vector.New(p), dead: map[value]int{}, needed: map[value]bool{}}
	parts, answers, _ := vector.Parts(p, b)
	written := []ir.SpanID{}
	for _, s := range parts {
		out := ir.WriteSpans(s)[0]
		switch s := s.(type) {
		case *ir.Contract:
			x.graph.Contract(s)
		case *ir.Invert:
			x.graph.Invert(s)
		}
		x.set(out)
		for _, in := range ir.ReadSpans(s) {
			x.dead[value{in, x.graph.Version(in)}] = len(x.events)
		}
		written = append(written, out)
	}
	x.answers = answers
	x.sums = x.graph.Normalize(x.answers)
	for _, n := range x.sums {
		x.compute(n)
	}
	for _, id := range x.answers {
		x.set(id)
	}
	for i := range x.graph.Nodes {
		if n := &x.graph.Nodes[i]; n.Op == vector.Load {
			x.needed[value{n.Span, n.Version}] = true
		}
	}
	for _, id := range r.LiveAfter(b, written) {
		v := value{id, x.graph.Version(id)}
		x.needed[v] = true
		delete(x.dead, v)
	}
	return x
}

// set computes the groups of a span, and stores them.
func (x *block) set(id ir.SpanID) {
	v := value{id, x.graph.Version(id)}
	for i, n := range x.graph.Groups(id) {
		if n != vector.None {
			x.compute(n)
			x.events = append(x.events, event{node: n, span: id, group: i, value: v})
		}
	}
}

// compute adds the events that compute a node. Constants and loads are made when they are needed.
func (x *block) compute(id vector.ID) {
	for len(x.done) < len(x.graph.Nodes) {
		x.done = append(x.done, false)
	}
	n := &x.graph.Nodes[id]
	if n.Op < vector.Mul || x.done[id] {
		return
	}
	x.done[id] = true
	for _, a := range n.Arguments() {
		x.compute(a)
	}
	x.events = append(x.events, event{node: id, span: ir.NoSpan})
}

// stores returns the number of vectors that are stored.
func (x *block) stores() (n int) {
	for _, e := range x.events {
		if e.span != ir.NoSpan && x.needed[e.value] {
			n++
		}
	}
	return n
}
