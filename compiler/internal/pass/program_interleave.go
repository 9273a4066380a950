package pass

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/vector"
)

// interleaveProducts is the number of products of a program up to which ProgramInterleave changes
// it. The tables of larger ones leave the caches before they are read again if their steps are
// apart, and such programs do not become straight code.
const interleaveProducts = 64_000

// ProgramInterleave reorders the steps of small blocks so that neighbours do not need each other's
// results: a processor runs independent messages at the same time, and the messages of a
// depth-first walk along a clique tree are chains. A step comes the earlier, the more steps wait
// for it one after the other. Answers come soon after their last operand. Programs of fewer
// products than least stay as they are, since they do not run on vectors, and so do sessions, which
// run again only the blocks of the subtrees that changed.
func ProgramInterleave(p *ir.Program, least int) {
	products := 0
	for i := range p.Blocks {
		for _, s := range p.Blocks[i].Steps {
			products += s.Products()
		}
	}
	if products < least || products > interleaveProducts || p.Session() != nil {
		return
	}
	for i := range p.Blocks {
		if _, _, ok := vector.Parts(p, &p.Blocks[i]); ok {
			interleave(p, &p.Blocks[i])
		}
	}
}

func interleave(p *ir.Program, b *ir.Block) {
	before := dependencies(b.Steps)
	key := make([]int, len(b.Steps)) // by step: the length of the longest chain that waits for it, negated
	for k := range slices.Backward(b.Steps) {
		for _, m := range before[k] {
			key[m] = min(key[m], key[k]-1)
		}
	}
	for k, s := range b.Steps {
		if !slices.ContainsFunc(ir.WriteSpans(s), func(id ir.SpanID) bool { return p.Spans[id].Role == ir.RoleOut }) {
			continue
		}
		for n, m := range before[k] {
			if n == 0 || key[m] > key[k] {
				key[k] = key[m]
			}
		}
	}
	order := make([]int, len(b.Steps))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(x, y int) int { return key[x] - key[y] })
	steps := make([]ir.Step, len(order))
	for n, k := range order {
		steps[n] = b.Steps[k]
	}
	b.Steps = steps
}

// dependencies returns, by step, the steps before it that it must follow: those that write a span
// that it reads or writes, and those that read a span that it writes.
func dependencies(steps []ir.Step) [][]int {
	before := make([][]int, len(steps))
	wrote, read := map[ir.SpanID]int{}, map[ir.SpanID][]int{}
	for k, s := range steps {
		reads, writes := ir.ReadSpans(s), ir.WriteSpans(s)
		for _, id := range slices.Concat(reads, writes) {
			if m, ok := wrote[id]; ok {
				before[k] = append(before[k], m)
			}
		}
		for _, id := range writes {
			before[k] = append(before[k], read[id]...)
			wrote[id], read[id] = k, nil
		}
		for _, id := range reads {
			read[id] = append(read[id], k)
		}
	}
	return before
}
