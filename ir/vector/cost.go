package vector

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// Cost returns the number of instructions of the graph, without those that store.
func (g *Graph) Cost() float64 { return costOf(g.Nodes) }

func costOf(nodes []Node) (cost float64) {
	for i := range nodes {
		cost += nodes[i].Cost()
	}
	return cost
}

// Instructions of a load by pattern. A contiguous load is often the operand of another instruction.
var loadCost = [...]float64{Contiguous: .5, Same: 1, Pairs: 1, Window: 1.5, Halves: 2.5, Scattered: 5}

// Cost returns the number of instructions of n. Constants are operands of others.
func (n *Node) Cost() float64 {
	switch n.Op {
	case Const:
		return 0
	case Load:
		return loadCost[PatternOf(n.At)]
	case Across:
		return float64(1 + len(n.Arguments()))
	case Inverse:
		return 6
	case Reciprocal:
		return 4
	}
	return 1
}

// MaxStraight is the number of instructions of a program up to which its code for vectors is
// straight. That is about 150 KB: beyond, the processor waits for instructions.
const MaxStraight = 20_000

// CostOf returns the number of instructions of a contraction by itself, with its operands and its
// result in memory.
func CostOf(p *ir.Program, c *ir.Contract) float64 {
	g := New(p)
	g.Contract(c)
	cost := g.Cost()
	for _, n := range g.groups[c.Out.Span] {
		if n != None {
			cost++
		}
	}
	return cost
}

// Parts returns the contractions and reciprocals of b, and the answers that it normalises. ok is
// false if b has other steps, contractions with fixed axes, or normalises anything except the
// result of a contraction that no later step uses.
func Parts(p *ir.Program, b *ir.Block) (parts []ir.Step, answers []ir.SpanID, ok bool) {
	set := map[ir.SpanID]bool{}
	for _, step := range b.Steps {
		if slices.ContainsFunc(ir.RefSpans(step), func(id ir.SpanID) bool { return slices.Contains(answers, id) }) {
			return nil, nil, false
		}
		switch s := step.(type) {
		case *ir.Contract:
			if slices.ContainsFunc(s.Axes, func(a ir.Axis) bool { return a.Kind == ir.AxisFixed }) {
				return nil, nil, false
			}
			parts = append(parts, s)
			set[s.Out.Span] = true
		case *ir.Invert:
			parts = append(parts, s)
		case *ir.Normalize:
			if !set[s.Span] || p.Spans[s.Span].Role != ir.RoleOut {
				return nil, nil, false
			}
			answers = append(answers, s.Span)
		default:
			return nil, nil, false
		}
	}
	return parts, answers, len(parts) > 0
}
