package pass

import (
	"math"

	"github.com/pgmc-go/pgmc/ir"
)

// sums bounds the nodes of a step one by one: one bound for all of a span would grow beyond measure along a circuit.
func (s *scaler) sums(step *ir.Sums) {
	bounds := s.elements(step)
	for i, e := range step.Set {
		b := interval{math.Inf(1), math.Inf(-1)}
		terms := step.Terms[step.First[i]:step.First[i+1]]
		for _, t := range terms {
			x := bounds[t[0]]
			if t[1] >= 0 {
				x.lo, x.hi = x.lo+bounds[t[1]].lo, x.hi+bounds[t[1]].hi
			}
			b.lo, b.hi = min(b.lo, x.lo), max(b.hi, x.hi)
		}
		if !step.Max {
			b.hi += math.Log2(float64(len(terms)))
		}
		bounds[e] = b
		if b.lo <= b.hi {
			s.worst = max(s.worst, -b.lo)
		}
	}
	at := 0
	for _, id := range step.In {
		at += s.p.Spans[id].Len
	}
	for _, id := range step.Out {
		n := s.p.Spans[id].Len
		s.element[id] = bounds[at : at+n : at+n]
		at += n
	}
}

// elements gives the bounds of all elements of a step, those that it sets yet to come.
func (s *scaler) elements(step *ir.Sums) []interval {
	var out []interval
	for _, id := range step.In {
		span := &s.p.Spans[id]
		switch known := s.element[id]; {
		case known != nil:
			out = append(out, known...)
		case span.ReadOnly():
			for i := range span.Data {
				out = append(out, boundOf(span.Data[i:i+1]))
			}
		default:
			for range span.Len {
				out = append(out, s.bound[id])
			}
		}
	}
	for _, id := range step.Out {
		out = append(out, make([]interval, s.p.Spans[id].Len)...)
	}
	return out
}

// countedBits is how far below the largest of its group a rescaled value is taken to count.
const countedBits = 64

// rescaledElements bounds the elements of a span after they were rescaled together. What is far below the largest is of no account as
// long as that is possible: static bounds would grow without end along a circuit.
func (s *scaler) rescaledElements(id ir.SpanID) {
	list := s.element[id]
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, b := range list {
		lo, hi = min(lo, b.lo), max(hi, b.hi)
	}
	for i := range list {
		list[i] = interval{max(lo-hi, -countedBits), 1}
	}
}
