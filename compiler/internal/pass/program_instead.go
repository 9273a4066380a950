package pass

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// A Second is a second plan for a query, with loops that evidence narrows.
type Second struct {
	Of, Query *ir.Query // the query, and the one that the second plan answers
	Most      float64   // the most work with which the second plan is faster; see [ir.Instead]
}

// stepWork is the time of a step beside its products, in products of a loop nest. With it, the
// times of pigs with evidence on none to all of the variables are in proportion to the work (AMD
// EPYC, Zen 4), although all marginals with 95 % observed, which take a sixth of the time without
// evidence, have hardly a product left.
const stepWork = 64

// mostLoops is the most sets of variables with products that are counted anew for each query.
// Counting one takes some nanoseconds.
const mostLoops = 64

// ProgramInstead lets the entries of second plans run in place of others if the evidence leaves
// little work to them, see [ir.Instead]. It removes those that no evidence makes fast enough.
func ProgramInstead(p *ir.Program, seconds []Second) {
	if len(seconds) == 0 {
		return
	}
	for _, s := range seconds {
		of, x := entryOf(p, s.Of), entryOf(p, s.Query)
		if of == nil || x == nil {
			continue
		}
		alignOuts(p, of, x)
		x.Instead = workOf(p, x)
		x.Instead.Of, x.Instead.Most = of.Query.Name, s.Most
		if x.Instead.Work(func(model.VarID) int { return 1 }) > x.Instead.Most || !slices.Equal(p.Inputs(of), p.Inputs(x)) {
			x.Instead = nil
		}
	}
	p.Entries = slices.DeleteFunc(p.Entries, func(e ir.Entry) bool {
		return e.Instead == nil && slices.ContainsFunc(seconds, func(s Second) bool { return s.Query == e.Query })
	})
	dropUnused(p)
}

// entryOf returns the entry that answers q, or nil.
func entryOf(p *ir.Program, q *ir.Query) *ir.Entry {
	i := slices.IndexFunc(p.Entries, func(e ir.Entry) bool { return e.Query == q })
	if i < 0 {
		return nil
	}
	return &p.Entries[i]
}

// alignOuts gives the posteriors of x the order of another entry's posteriors.
func alignOuts(p *ir.Program, of, x *ir.Entry) {
	place := map[model.VarID]int{}
	for i, id := range of.Outs {
		place[p.Spans[id].Var] = i
	}
	slices.SortStableFunc(x.Outs, func(a, b ir.SpanID) int { return cmp.Compare(place[p.Spans[a].Var], place[p.Spans[b].Var]) })
}

// statesOf returns the numbers of states of the inputs of e, by variable. A variable that is no
// input counts as one with a single state.
func statesOf(p *ir.Program, e *ir.Entry) func(model.VarID) int {
	states := map[model.VarID]int{}
	for _, id := range p.Inputs(e) {
		states[p.Spans[id].Var] = p.Spans[id].Len
	}
	return func(v model.VarID) int { return max(states[v], 1) }
}

// workOf counts the work of e. All loops that may be narrowed count as if their back-end narrowed
// them, because the choice between entries must not depend on back-ends.
func workOf(p *ir.Program, e *ir.Entry) *ir.Instead {
	narrow := ir.RangesOf(p, func(_ int, _ *ir.Contract, may []bool) []bool { return may })
	w := &ir.Instead{}
	place := map[string]int{} // in w.Loops, by variables
	for _, b := range e.Blocks {
		for _, step := range p.Blocks[b].Steps {
			w.Fixed += stepWork
			c, ok := step.(*ir.Contract)
			may := narrow.Narrowed(c)
			if !ok || may == nil {
				w.Fixed += float64(step.Products())
				continue
			}
			l := loopsOf(c, may)
			key := fmt.Sprint(l.Vars)
			i, ok := place[key]
			if !ok {
				i, place[key] = len(w.Loops), len(w.Loops)
				w.Loops = append(w.Loops, ir.LoopWork{Vars: l.Vars})
			}
			w.Loops[i].Each += l.Each
		}
	}
	keepLargest(p, e, w)
	return w
}

// loopsOf returns the work of a contraction with loops that are narrowed along some axes.
func loopsOf(c *ir.Contract, may []bool) ir.LoopWork {
	l := ir.LoopWork{Each: 1}
	for i, a := range c.Axes {
		switch {
		case may[i]:
			l.Vars = append(l.Vars, a.Var)
		case a.Kind != ir.AxisFixed:
			l.Each *= float64(a.Size)
		}
	}
	slices.Sort(l.Vars)
	return l
}

// keepLargest counts all but the largest work of w as if evidence did not change it.
func keepLargest(p *ir.Program, e *ir.Entry, w *ir.Instead) {
	states := statesOf(p, e)
	all := func(l ir.LoopWork) float64 {
		one := ir.Instead{Loops: []ir.LoopWork{l}}
		return one.Work(states)
	}
	slices.SortStableFunc(w.Loops, func(a, b ir.LoopWork) int { return cmp.Compare(all(b), all(a)) })
	for _, l := range w.Loops[min(mostLoops, len(w.Loops)):] {
		w.Fixed += all(l)
	}
	w.Loops = w.Loops[:min(mostLoops, len(w.Loops))]
}
