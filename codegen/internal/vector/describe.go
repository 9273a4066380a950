package vector

import (
	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/price"
	"github.com/pgmc-go/pgmc/ir/vector"
)

// Description is the plan of a block, for people.
type Description struct {
	Messages []Message
	Answers  int    // the spans that are normalised at the end
	Rest     Counts // what that takes
}

// Message is the plan of a contraction. It counts what earlier messages of the block do not compute
// anyway.
type Message struct {
	vector.Message
	Counts
}

// Counts holds numbers of instructions.
type Counts struct {
	Ops    [vector.Keep + 1]int      // by operation
	Loads  [vector.Scattered + 1]int // by pattern of places
	Stores int                       // of whole vectors; none if all readers take them from registers
	All    float64                   // instructions; half of the contiguous loads are operands of others
}

// Bytes returns the predicted length of the instructions.
func (c *Counts) Bytes() int { return int(price.Vector.Text * c.All) }

// count adds nodes to c.
func (c *Counts) count(nodes []vector.Node) {
	for i := range nodes {
		n := &nodes[i]
		c.Ops[n.Op]++
		c.All += n.Cost()
		if n.Op == vector.Load {
			c.Loads[vector.PatternOf(n.At)]++
		}
	}
}

// Describe returns the plan of a block of p, or nil if the back-end cannot emit it.
func Describe(p *ir.Program, b *ir.Block) *Description {
	if !possible(p, b) {
		return nil
	}
	x := newBlock(p, b, backend.ReadersOf(p))
	d := &Description{Answers: len(x.answers)}
	end := vector.ID(0)
	stores := map[value]int{}
	for _, e := range x.events {
		if e.span != ir.NoSpan && x.needed[e.value] {
			stores[e.value]++
		}
	}
	version := map[ir.SpanID]int32{}
	for _, m := range x.graph.Messages {
		id := m.Contract.Out.Span
		version[id]++
		one := Message{Message: m}
		one.count(x.graph.Nodes[end:m.End]) // with a reciprocal before it
		one.Stores = stores[value{id, version[id]}]
		one.All += float64(one.Stores)
		d.Messages = append(d.Messages, one)
		end = m.End
	}
	d.Rest.count(x.graph.Nodes[end:])
	for _, id := range x.answers {
		d.Rest.Stores += stores[value{id, x.graph.Version(id)}]
	}
	d.Rest.All += float64(d.Rest.Stores)
	return d
}
