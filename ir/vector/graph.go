package vector

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// Lanes is the number of numbers in a vector.
const Lanes = 4

// ID is the index of a node in Graph.Nodes.
type ID int32

// None is no node.
const None ID = -1

// Op is the operation of a node.
type Op uint8

// The operations.
const (
	Const      Op = iota // Value
	Load                 // the elements At of Span
	Mul                  // Args[0] * Args[1]
	Add                  // Args[0] + Args[1]
	Max                  // the larger of Args[0] and Args[1]; both are at least 0
	Across               // lane i is the sum of the lanes of Args[i], (0+1)+(2+3); it has no meaning if Args[i] is None
	Inverse              // 1 / Args[0], or 1 if that is not from 2^-1000 to 2^1000
	Reciprocal           // 1 / Args[0], or 1 if that is 0
	Splat                // all lanes are lane At[0] of Args[0]
	Copy                 // Args[0], which is a load whose span may change before the last use
	Keep                 // Args[0] in the lanes that are 1 in At, and 0 in the others
)

// Node is a vector. Nodes are comparable, and those that are equal have equal lanes.
type Node struct {
	Op      Op
	Version int32 // of Load: how often the span has been set before
	Args    [Lanes]ID
	Span    ir.SpanID
	At      [Lanes]int32
	Value   [Lanes]float64
}

// Graph holds the vectors of a block of a program.
type Graph struct {
	Nodes    []Node
	Messages []Message // in the order in which they were added

	p       *ir.Program
	index   map[Node]ID
	groups  [][]ID // by span: the vectors that it was last set to; nil if no node set it
	version []int32
}

// New returns an empty graph for steps of p.
func New(p *ir.Program) *Graph {
	return &Graph{p: p, index: map[Node]ID{}, groups: make([][]ID, len(p.Spans)), version: make([]int32, len(p.Spans))}
}

// Groups returns the vectors to which a span was last set, or nil. Vector i holds the elements from
// 4i on. It is None if the span has no element there.
func (g *Graph) Groups(id ir.SpanID) []ID { return g.groups[id] }

// Version returns how often a span has been set.
func (g *Graph) Version(id ir.SpanID) int32 { return g.version[id] }

// Set records that a span now holds the given vectors, in registers or in memory.
func (g *Graph) Set(id ir.SpanID, groups []ID) {
	g.groups[id] = groups
	g.version[id]++
}

// cut removes the nodes from n on.
func (g *Graph) cut(n int) {
	for _, x := range g.Nodes[n:] {
		delete(g.index, x)
	}
	g.Nodes = g.Nodes[:n]
}

// add returns the node n, which it makes unless it is there.
func (g *Graph) add(n Node) ID {
	id, ok := g.index[n]
	if !ok {
		id = ID(len(g.Nodes))
		g.Nodes = append(g.Nodes, n)
		g.index[n] = id
	}
	return id
}

// constant returns the vector of the given numbers.
func (g *Graph) constant(value [Lanes]float64) ID { return g.add(Node{Op: Const, Value: value}) }

// isConst reports whether n is a constant with the number x in all given lanes.
func (g *Graph) isConst(n ID, x float64, lanes mask) bool {
	if g.Nodes[n].Op != Const {
		return false
	}
	for l, v := range g.Nodes[n].Value {
		if lanes.has(l) && v != x {
			return false
		}
	}
	return true
}

// mul returns the product of two vectors. Only the given lanes matter. Constants are multiplied
// here.
func (g *Graph) mul(a, b ID, lanes mask) ID {
	switch {
	case g.isConst(a, 1, lanes):
		return b
	case g.isConst(b, 1, lanes):
		return a
	case g.isConst(a, 0, lanes) || g.isConst(b, 0, lanes):
		return g.constant([Lanes]float64{})
	case g.Nodes[a].Op == Const && g.Nodes[b].Op == Const:
		v := g.Nodes[a].Value
		for l := range v {
			v[l] *= g.Nodes[b].Value[l]
		}
		return g.constant(v)
	}
	if g.Nodes[a].Op == Const {
		a, b = b, a
	}
	return g.binary(Mul, a, b)
}

// reduce returns the sum or the maximum of two vectors.
func (g *Graph) reduce(op Op, a, b ID) ID {
	switch {
	case g.isConst(a, 0, all):
		return b
	case g.isConst(b, 0, all):
		return a
	}
	return g.binary(op, a, b)
}

// binary returns the node of an operation on two vectors.
func (g *Graph) binary(op Op, a, b ID) ID {
	return g.add(Node{Op: op, Args: [Lanes]ID{a, b, None, None}})
}

// Arguments returns the nodes that n reads, each once.
func (n *Node) Arguments() []ID {
	var out []ID
	if n.Op < Mul {
		return nil
	}
	for _, a := range n.Args {
		if a != None && !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

// mask is a set of lanes.
type mask uint8

// all is the set of all lanes.
const all mask = 1<<Lanes - 1

func (m mask) has(lane int) bool { return m>>lane&1 == 1 }
