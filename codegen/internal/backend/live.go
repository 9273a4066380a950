package backend

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// Readers counts, by span, the blocks of p that read it, plus one if the caller or the next run
// reads it.
type Readers []int32

// ReadersOf returns the readers of the spans of p.
func ReadersOf(p *ir.Program) Readers {
	r := make(Readers, len(p.Spans))
	for i := range p.Blocks {
		for _, id := range readBy(&p.Blocks[i]) {
			r[id]++
		}
	}
	for i := range p.Spans {
		if p.Spans[i].Role != ir.RoleTemp {
			r[i]++
		}
	}
	for _, e := range p.Entries {
		for _, id := range e.Answers() {
			r[id]++
		}
	}
	return r
}

// readBy returns the spans that b reads, each once.
func readBy(b *ir.Block) (ids []ir.SpanID) {
	reads := func(id *ir.SpanID, use ir.Use) {
		if use.Reads() {
			ids = append(ids, *id)
		}
	}
	for _, s := range b.Steps {
		s.Refs(reads)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// LiveAfter returns the ids that something other than b reads.
func (r Readers) LiveAfter(b *ir.Block, ids []ir.SpanID) (live []ir.SpanID) {
	own := readBy(b)
	for _, id := range ids {
		others := r[id]
		if _, reads := slices.BinarySearch(own, id); reads {
			others--
		}
		if others > 0 {
			live = append(live, id)
		}
	}
	return live
}

// Answers reports, by step of a block, whether it normalises an answer that the steps after it
// neither read nor write.
func Answers(p *ir.Program, steps []ir.Step) []bool {
	out := make([]bool, len(steps))
	used := map[ir.SpanID]bool{}
	use := func(id *ir.SpanID, _ ir.Use) { used[*id] = true }
	for i, s := range slices.Backward(steps) {
		n, ok := s.(*ir.Normalize)
		out[i] = ok && p.Spans[n.Span].Role == ir.RoleOut && !used[n.Span]
		s.Refs(use)
	}
	return out
}
