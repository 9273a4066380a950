package eval

import (
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// nodes gives the nodes of a step by places in work memory.
func (m *Machine) nodes(s *ir.Sums) []pgmrt.TapeNode {
	places := s.Places(m.program)
	at := func(e int32) int {
		if e < 0 {
			return -1
		}
		id := s.SpanAt(places[e].Span)
		if m.program.Spans[id].ReadOnly() {
			return m.layout.copy[id] + places[e].At
		}
		return m.layout.offset[id] + places[e].At
	}
	nodes := make([]pgmrt.TapeNode, len(s.Set))
	for i, e := range s.Set {
		nodes[i].Set = at(e)
		for _, t := range s.Terms[s.First[i]:s.First[i+1]] {
			nodes[i].Terms = append(nodes[i].Terms, [2]int{at(t[0]), at(t[1])})
		}
	}
	return nodes
}

// copyNumbers makes the copies of constants and parameters in work memory.
func (m *Machine) copyNumbers() {
	for i, at := range m.layout.copy {
		if at >= 0 {
			copy(m.work[at:], m.Span(ir.SpanID(i)))
		}
	}
}
