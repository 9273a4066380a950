package pass

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// sumsBuilder collects the nodes of one ir.Sums. It numbers the elements at the end, when all spans
// are known.
type sumsBuilder struct {
	*circuitLowering
	step  *ir.Sums
	out   []ir.SpanID
	in    []ir.SpanID
	known map[ir.SpanID]bool
	set   []place
	terms [][2]place
}

// noPlace is the second place of a term with one element.
var noPlace = placeOf(ir.NoSpan, 0)

func newSums(k *circuitLowering, out ...ir.SpanID) *sumsBuilder {
	s := &sumsBuilder{circuitLowering: k, step: &ir.Sums{Max: k.max, First: []int32{0}}, out: out, known: map[ir.SpanID]bool{}}
	for _, id := range out {
		s.known[id] = true
	}
	return s
}

// add appends a node that sets an element.
func (s *sumsBuilder) add(to place, terms [][2]circuit.Node) {
	s.set = append(s.set, to)
	single := !slices.ContainsFunc(terms, func(t [2]circuit.Node) bool { return t[1] >= 0 })
	for _, t := range terms {
		if t[1] < 0 && !single {
			t[1] = circuit.One
		}
		pair := [2]place{s.read(t[0]), noPlace}
		if t[1] >= 0 {
			pair[1] = s.read(t[1])
		}
		s.terms = append(s.terms, pair)
	}
	s.step.First = append(s.step.First, int32(len(s.terms)))
}

// read returns the current place of a node, and notes that the step reads its span.
func (s *sumsBuilder) read(n circuit.Node) place {
	at := s.home[n]
	s.note(ir.SpanID(at.span))
	return at
}

// note adds a span to those that the step reads.
func (s *sumsBuilder) note(id ir.SpanID) {
	if !s.known[id] {
		s.known[id] = true
		s.in = append(s.in, id)
	}
}

// finish numbers the elements.
func (s *sumsBuilder) finish() *ir.Sums {
	n := int32(0)
	s.base = slices.Grow(s.base, len(s.p.Spans))[:len(s.p.Spans)]
	s.step.In, s.step.Out = s.in, s.out
	for _, list := range [][]ir.SpanID{s.in, s.out} {
		for _, id := range list {
			s.base[id] = n
			n += int32(s.p.Spans[id].Len)
		}
	}
	element := func(at place) int32 {
		if at == noPlace {
			return -1
		}
		return s.base[at.span] + at.at
	}
	s.step.Set = make([]int32, 0, len(s.set))
	s.step.Terms = make([][2]int32, 0, len(s.terms))
	for _, at := range s.set {
		s.step.Set = append(s.step.Set, element(at))
	}
	for _, t := range s.terms {
		s.step.Terms = append(s.step.Terms, [2]int32{element(t[0]), element(t[1])})
	}
	return s.step
}
