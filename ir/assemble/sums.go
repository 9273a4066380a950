package assemble

import "github.com/pgmc-go/pgmc/ir"

// Node is a node of a circuit: the element that it sets, and its terms. A term is one element, the
// second being negative, or the product of two; all terms of a node are of one kind.
type Node struct {
	Set   int
	Terms [][2]int32
}

// sums writes runs of nodes with equally many terms. A run is that number, negative if the terms
// are single elements, the number of nodes, and for each node the element that it sets and those of
// its terms.
func (a *Assembler) sums(s *ir.Sums) {
	op := tapeSums
	if s.Max {
		op = tapeMaxima
	}
	start := a.begin(op)
	a.runs(a.nodes(s))
	a.end(start)
}

// runs writes nodes in runs of equally many terms.
func (a *Assembler) runs(nodes []Node) {
	for from := 0; from < len(nodes); {
		kind, to := nodes[from].kind(), from+1
		for to < len(nodes) && nodes[to].kind() == kind {
			to++
		}
		a.words(kind, to-from)
		for _, n := range nodes[from:to] {
			a.code.Words = n.append(a.code.Words, 1)
		}
		from = to
	}
}

// nodes returns the nodes of s by offsets in work memory.
func (a *Assembler) nodes(s *ir.Sums) []Node {
	places := s.Places(a.program)
	offsets := map[ir.SpanID]int{}
	for _, p := range places {
		if id := s.SpanAt(p.Span); p.At == 0 {
			offsets[id] = a.copyAt(id)
		}
	}
	at := func(e int32) int32 {
		if e < 0 {
			return -1
		}
		return int32(offsets[s.SpanAt(places[e].Span)] + places[e].At)
	}
	nodes := make([]Node, len(s.Set))
	for i, e := range s.Set {
		nodes[i] = Node{int(at(e)), make([][2]int32, s.First[i+1]-s.First[i])}
		for k, t := range s.Terms[s.First[i]:s.First[i+1]] {
			nodes[i].Terms[k] = [2]int32{at(t[0]), at(t[1])}
		}
	}
	return nodes
}

// kind returns the number of terms, negative if they are single elements.
func (n *Node) kind() int {
	if n.Terms[0][1] < 0 {
		return -len(n.Terms)
	}
	return len(n.Terms)
}

// append appends the elements of n, each times scale.
func (n *Node) append(code []int32, scale int) []int32 {
	code = append(code, int32(n.Set*scale))
	for _, t := range n.Terms {
		code = append(code, t[0]*int32(scale))
		if t[1] >= 0 {
			code = append(code, t[1]*int32(scale))
		}
	}
	return code
}

func sumsPrice(_ *ir.Program, s *ir.Sums) Price {
	return Price{NS: float64(nsTerm * float64(len(s.Terms))), Ops: s.Ops()}
}
