package choose

import (
	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/lanes"
	"github.com/pgmc-go/pgmc/ir/price"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// QueryNS returns the predicted time of a query, with each block once, also in loops and chains.
func QueryNS(p *ir.Program, e *ir.Entry, plan []Choice) float64 {
	if e.Query.Kind == ir.Policy {
		return policyNS(e)
	}
	cost := func(block int) backend.Cost { return plan[block].Cost }
	ns := price.Query.Fixed + icachePenaltyNS(e.Blocks, cost) + waitNS(p, e.Blocks, cost)
	ns += price.Query.Load * float64(len(p.Inputs(e)))
	for _, id := range e.Outs {
		ns += price.Query.Answer * float64(p.Spans[id].Len)
	}
	for _, u := range e.Utilities {
		ns += price.Query.Answer * float64(p.Spans[u.In].Len)
	}
	for _, b := range e.Blocks {
		ns += cost(b).NS
	}
	return ns
}

// policyNS returns the predicted time of the slowest policy: a jump for each known variable.
func policyNS(e *ir.Entry) (ns float64) {
	for _, d := range e.Decisions {
		ns = max(ns, price.Query.Load*float64(1+len(d.Known)))
	}
	return ns
}

// waitNS returns the time that the blocks of a query wait for numbers.
func waitNS(p *ir.Program, blocks []int, cost func(block int) backend.Cost) (ns float64) {
	ns += price.Cache.WaitSecond * beyondCache(8*(p.Work+p.Data)) * float64(tableBytes(p, blocks, 1))
	if 8*p.Work > price.Cache.Far {
		ns += price.Cache.WaitFar * float64(farTerms(p, blocks))
	}
	return ns + price.Cache.WaitFirst*float64(max(0, vectorBytes(p, blocks, cost)-price.Cache.First))
}

// LaneWaitNS returns the time that an entry waits for numbers if loop nests run it in lanes.
func LaneWaitNS(p *ir.Program, e *ir.Entry, prog *lanes.Program) float64 {
	share := beyondCache(8 * (pgmrt.Lanes*prog.Slots + p.Data))
	return price.Cache.WaitSecondLane * share * float64(tableBytes(p, e.Blocks, pgmrt.Lanes))
}

// beyondCache returns the share of a working set that the cache of the second level does not hold.
func beyondCache(bytes int) float64 { return max(0, 1-float64(price.Cache.Second)/float64(bytes)) }

// tableBytes returns the number of bytes of the spans of contractions for some rows, which share
// the model's spans.
func tableBytes(p *ir.Program, blocks []int, rows int) (bytes int) {
	eachStep(p, blocks, func(step ir.Step) {
		c, ok := step.(*ir.Contract)
		if !ok {
			return
		}
		for _, id := range ir.RefSpans(c) {
			n := min(p.Spans[id].Len, c.Entries())
			if !p.Spans[id].ReadOnly() {
				n *= rows
			}
			bytes += 8 * n
		}
	})
	return bytes
}

// vectorBytes returns the number of bytes of the spans of blocks in assembly.
func vectorBytes(p *ir.Program, blocks []int, cost func(block int) backend.Cost) (bytes int) {
	seen := make([]bool, len(p.Spans))
	for _, b := range blocks {
		if cost(b).Beside == 0 {
			continue
		}
		eachStep(p, []int{b}, func(step ir.Step) {
			for _, id := range ir.RefSpans(step) {
				if !seen[id] {
					seen[id] = true
					bytes += 8 * p.Spans[id].Len
				}
			}
		})
	}
	return bytes
}

// farTerms returns the number of terms of circuits with an operand that was written more than
// price.Cache.Far before. A pass down a circuit reads most numbers of the pass up so late.
func farTerms(p *ir.Program, blocks []int) (terms int) {
	written := 0
	since := make([]int, len(p.Spans)) // by span: the numbers written before it, or -1 if no step has
	for i := range since {
		since[i] = -1
	}
	eachStep(p, blocks, func(step ir.Step) {
		if s, ok := step.(*ir.Sums); ok {
			terms += farTermsOf(p, s, written, since)
		}
		for _, id := range ir.WriteSpans(step) {
			since[id] = written
			written += p.Spans[id].Len
		}
	})
	return terms
}

// farTermsOf returns the number of terms of s with an operand that was written more than
// price.Cache.Far before, if the numbers of a span are written in order. written and since are as
// in farTerms before s runs.
func farTermsOf(p *ir.Program, s *ir.Sums, written int, since []int) (terms int) {
	n := 0
	for _, id := range s.In {
		n += p.Spans[id].Len
	}
	at := make([]int, 0, n) // by element: the numbers written before it
	for _, id := range s.In {
		for k := range p.Spans[id].Len {
			if since[id] < 0 {
				at = append(at, written)
			} else {
				at = append(at, since[id]+k)
			}
		}
	}
	far := func(e int32, now int) bool { return e >= 0 && int(e) < len(at) && 8*(now-at[e]) > price.Cache.Far }
	for i := range s.Set {
		for _, t := range s.Terms[s.First[i]:s.First[i+1]] {
			if now := written + i; far(t[0], now) || far(t[1], now) {
				terms++
			}
		}
	}
	return terms
}

// eachStep calls f for the steps of blocks, in order.
func eachStep(p *ir.Program, blocks []int, f func(ir.Step)) {
	for _, b := range blocks {
		for _, step := range p.Blocks[b].Steps {
			f(step)
		}
	}
}
