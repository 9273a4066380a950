package pass

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/vector"
)

// wayPrice is the price of one more block for vectors, in products: of a call, and of numbers that
// are stored by one block and loaded by the next.
const wayPrice = 64

// wayGain is the share of the work of single posteriors, products and prices of blocks, up to which
// blocks of their own are worth their code. Packages grow by a fifth, and .82 of the work took as
// much time as before.
const wayGain = .75

// ProgramWays gives the queries for single posteriors blocks of their own for the way down, so that
// each runs little more than it needs. The blocks of all marginals stay as they are: they are few
// and long, so that their steps are independent of each other. Only programs laid out for vectors
// have such blocks. The blocks of others follow the clique tree, and queries leave some out.
func ProgramWays(p *ir.Program) {
	w := newWayDown(p)
	if w == nil {
		return
	}
	blocks, home := w.classes().blocks(wayPrice), len(p.Blocks)
	if !w.pays(blocks) {
		return
	}
	for i, items := range blocks {
		b := ir.Block{Name: fmt.Sprintf("way%d", i+1)}
		for _, k := range items {
			b.Steps = append(b.Steps, w.copy(w.steps[k]))
		}
		p.Blocks = append(p.Blocks, b)
	}
	all := slices.Clone(w.kept)
	for k := range blocks {
		all = append(all, home+k)
	}
	for _, e := range w.singles {
		e.Blocks = needed(p, e, all)
	}
	dropUnused(p)
}

// wayDown holds the steps of the way down of single posteriors.
type wayDown struct {
	p       *ir.Program
	singles []*ir.Entry
	kept    []int                   // the blocks that all of them run, and all steps of which they need
	steps   []ir.Step               // of the blocks after those
	needs   [][]bool                // by step and entry of singles
	spans   map[ir.SpanID]ir.SpanID // the temporaries of the new blocks, by those of the old ones
}

// newWayDown returns nil if the blocks of p stay as they are.
func newWayDown(p *ir.Program) *wayDown {
	w := &wayDown{p: p, spans: map[ir.SpanID]ir.SpanID{}}
	var blocks []int
	for i := range p.Entries {
		e := &p.Entries[i]
		if e.Instead != nil || p.Align == 0 || p.Session() != nil {
			return nil
		}
		if e.Query.Kind == ir.Posterior && !e.Repeats() && e.Stream == nil && e.Cutset == nil && slices.IsSorted(e.Blocks) {
			w.singles = append(w.singles, e)
			blocks = append(blocks, e.Blocks...)
		}
	}
	slices.Sort(blocks)
	blocks = slices.Compact(blocks)
	if len(w.singles) < 2 || !w.divide(blocks) {
		return nil
	}
	return w
}

// divide finds the steps to divide. It reports whether there are any and all are for vectors.
func (w *wayDown) divide(blocks []int) bool {
	q := &ir.Program{Spans: w.p.Spans}
	var first []int // by block: the place of its first step
	for _, b := range blocks {
		first = append(first, len(q.Blocks))
		for _, s := range w.p.Blocks[b].Steps {
			q.Blocks = append(q.Blocks, ir.Block{Steps: []ir.Step{s}})
		}
	}
	first = append(first, len(q.Blocks))
	all := make([]int, len(q.Blocks))
	needs := make([][]bool, len(q.Blocks))
	for k := range all {
		all[k], needs[k] = k, make([]bool, len(w.singles))
	}
	for i, e := range w.singles {
		for _, k := range needed(q, e, all) {
			needs[k][i] = true
		}
	}
	for i, b := range blocks {
		own := needs[first[i]:first[i+1]]
		if w.steps == nil && !slices.ContainsFunc(own, func(n []bool) bool { return slices.Contains(n, false) }) {
			w.kept = append(w.kept, b)
			continue
		}
		if _, _, ok := vector.Parts(w.p, &w.p.Blocks[b]); !ok {
			return false
		}
		w.steps, w.needs = append(w.steps, w.p.Blocks[b].Steps...), append(w.needs, own...)
	}
	return w.steps != nil
}

// classes puts each step that is needed into the class of the posteriors that need it.
func (w *wayDown) classes() *classes {
	sets := newSetPool(len(w.singles))
	set := make([]int32, len(w.steps))
	for k, need := range w.needs {
		for i, on := range need {
			if on {
				set[k] = sets.union(set[k], sets.single(i))
			}
		}
	}
	c := newClasses(sets)
	at := make([]int32, len(w.steps))
	before := dependencies(w.steps)
	for k := range w.steps {
		if set[k] == emptySet {
			continue
		}
		at[k] = c.add(set[k], int32(k), w.steps[k].Products())
		for _, m := range before[k] {
			if set[m] != emptySet {
				c.edge(at[m], at[k])
			}
		}
	}
	return c
}

// pays reports whether blocks of the given steps save enough of the work of all single posteriors.
func (w *wayDown) pays(blocks [][]int32) bool {
	before, after := 0, 0
	for i, e := range w.singles {
		for _, b := range e.Blocks {
			n := wayPrice + productsOf(w.p.Blocks[b].Steps)
			if before += n; slices.Contains(w.kept, b) {
				after += n
			}
		}
		for _, items := range blocks {
			if !slices.ContainsFunc(items, func(k int32) bool { return w.needs[k][i] }) {
				continue
			}
			after += wayPrice
			for _, k := range items {
				after += w.steps[k].Products()
			}
		}
	}
	return float64(after) <= wayGain*float64(before)
}

// productsOf returns the number of products of steps.
func productsOf(steps []ir.Step) (n int) {
	for _, s := range steps {
		n += s.Products()
	}
	return n
}

// copy returns a copy of a step with the temporaries of the new blocks. Answers keep their spans,
// and so do the results of the blocks before.
func (w *wayDown) copy(step ir.Step) ir.Step {
	switch s := step.(type) {
	case *ir.Contract:
		c := *s
		c.In = slices.Clone(s.In)
		for i := range c.In {
			c.In[i].Span = w.spanOf(c.In[i].Span)
		}
		c.Out.Span = w.result(c.Out.Span)
		return &c
	case *ir.Invert:
		return &ir.Invert{In: w.spanOf(s.In), Out: w.result(s.Out)}
	case *ir.Normalize:
		return &ir.Normalize{Span: s.Span}
	}
	panic(fmt.Sprintf("program-ways: step %s is not for vectors", step))
}

// spanOf returns the span that stands for id in the new blocks.
func (w *wayDown) spanOf(id ir.SpanID) ir.SpanID {
	if to, ok := w.spans[id]; ok {
		return to
	}
	return id
}

// result returns the span that a step of the new blocks writes in place of id.
func (w *wayDown) result(id ir.SpanID) ir.SpanID {
	if w.p.Spans[id].Role != ir.RoleTemp {
		return id
	}
	to, ok := w.spans[id]
	if !ok {
		to = ir.SpanID(len(w.p.Spans))
		w.p.Spans = append(w.p.Spans, w.p.Spans[id])
		w.spans[id] = to
	}
	return to
}
