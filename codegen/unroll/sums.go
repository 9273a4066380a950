package unroll

import (
	"github.com/pgmc-go/pgmc/codegen/backend/expand"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// sums takes the nodes of a circuit over as they are.
func (t *trace) sums(s *ir.Sums) error {
	if t.left -= len(s.Terms); t.left < 0 {
		return expand.ErrLimit
	}
	places := s.Places(t.p)
	read := func(e int32) circuit.Node { return t.element(s.SpanAt(places[e].Span), places[e].At) }
	for i, e := range s.Set {
		sum := circuit.Zero
		for _, term := range s.Terms[s.First[i]:s.First[i+1]] {
			x := read(term[0])
			if term[1] >= 0 {
				x = t.c.Prod(x, read(term[1]))
			}
			if s.Max {
				sum = t.c.Max(sum, x)
			} else {
				sum = t.c.Sum(sum, x)
			}
		}
		t.set(s.SpanAt(places[e].Span), places[e].At, sum)
	}
	return nil
}
