package pass

import "github.com/pgmc-go/pgmc/ir"

// mostBounds is the number of products of a program up to which elements are bounded one by one.
const mostBounds = 1 << 25

// bounded returns a scaler that knows what must be rescaled. Bounds of whole tables are sums over
// all factors, even if the small numbers of two factors never meet: the bounds of pigs reach
// 2^-1249, and its smallest product is 2^-666. If they ask for rescaling, bounds by element
// therefore have the last word, unless they ask for it as well. Then nothing is gained, since a
// static bound does not recover once it has left the range.
func bounded(p *ir.Program) *scaler {
	s := newScaler(p)
	s.bound()
	if len(s.rescaled) == 0 || p.Params == ir.Var || products(p) > mostBounds {
		return s
	}
	fine := newScaler(p)
	fine.bounds.ByElement, fine.last = true, lastReads(p)
	if fine.bound(); fine.more {
		return s
	}
	return fine
}

// products returns the number of products of a program.
func products(p *ir.Program) (n int) {
	for i := range p.Blocks {
		for _, step := range p.Blocks[i].Steps {
			n += step.Products()
		}
	}
	return n
}

// lastReads returns the last step that reads a span.
func lastReads(p *ir.Program) map[ir.SpanID]ir.Step {
	last := map[ir.SpanID]ir.Step{}
	for i := range p.Blocks {
		for _, step := range p.Blocks[i].Steps {
			for _, id := range ir.ReadSpans(step) {
				last[id] = step
			}
		}
	}
	return last
}

// forget drops the bounds of elements that no step after step reads.
func (s *scaler) forget(step ir.Step) {
	if !s.bounds.ByElement {
		return
	}
	for _, id := range ir.ReadSpans(step) {
		if s.last[id] == step {
			delete(s.bounds.Element, id)
		}
	}
}
