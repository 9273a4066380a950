package stream

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/codegen/internal/batch"
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// forwardStep is the step of a hidden Markov model without posteriors: the belief after it is a
// column that evidence chooses, times the product of the transition and the belief before, divided
// by its sum, which is the result of the entry.
type forwardStep struct {
	entry      *ir.Entry
	states     int
	transition ir.SpanID
	to, from   int // distances in the transition from a state to the next: of new ones, of those before
}

// leastForward is the least number of filters whose steps are made at once. A step of eight filters
// takes as long as 3 to 4 single ones with 32 and 128 states, of however many of them there are.
// Models of fewer states than leastStates, which fill half of a block, keep a loop.
const (
	leastForward = 4
	leastStates  = 5
)

// findForward returns the step of later slices without posteriors, or nil if it is not that of a
// hidden Markov model.
func (g *Methods) findForward() *forwardStep {
	e := g.Program.Entry(ir.FilterBelief)
	if e == nil || !g.ByTime() || g.Program.Params == ir.Var || e.Exp != ir.NoSpan || len(e.Logs) > 0 ||
		len(e.Stream.In) != 1 || len(e.Stream.Out) != 1 || len(e.Stream.Columns) != 1 {
		return nil
	}
	var steps []ir.Step
	for _, b := range e.Blocks {
		steps = append(steps, g.Program.Blocks[b].Steps...)
	}
	f := &forwardStep{entry: e, states: g.Program.Spans[e.Stream.In[0]].Len}
	if len(steps) != 5 || f.states < leastStates {
		return nil
	}
	next, ok := f.product(g.Program, steps[0])
	joint, isProduct := f.times(steps[1], e.Stream.Columns[0].To, next, 1)
	sum, isSum := steps[2].(*ir.Contract)
	inverse, isInverse := steps[3].(*ir.Invert)
	if !ok || !isProduct || !isSum || !isInverse || !f.sums(sum, joint, e.Root) || inverse.In != e.Root {
		return nil
	}
	if out, ok := f.times(steps[4], joint, inverse.Out, 0); !ok || out != e.Stream.Out[0] {
		return nil
	}
	return f
}

// product reports whether a step is the product of the transition, which is fixed, and the belief
// before, and returns its result.
func (f *forwardStep) product(p *ir.Program, step ir.Step) (out ir.SpanID, ok bool) {
	c, ok := step.(*ir.Contract)
	if !ok || c.Reduce != ir.ReduceSum || len(c.In) != 2 || !f.loops(c, ir.AxisOut, ir.AxisReduced) || !slices.Equal(c.Out.Stride, []int{1, 0}) {
		return 0, false
	}
	for i, v := range c.In {
		if v.Span == f.entry.Stream.In[0] && slices.Equal(v.Stride, []int{0, 1}) {
			t := c.In[1-i]
			f.transition, f.to, f.from = t.Span, t.Stride[0], t.Stride[1]
			return c.Out.Span, p.Spans[t.Span].ReadOnly() && f.to > 0 && f.from > 0
		}
	}
	return 0, false
}

// times reports whether a step is the product, state by state, of two spans, of which b has the
// given stride, and returns its result.
func (f *forwardStep) times(step ir.Step, a, b ir.SpanID, stride int) (out ir.SpanID, ok bool) {
	c, ok := step.(*ir.Contract)
	if !ok || len(c.In) != 2 || !f.loops(c, ir.AxisOut) || !slices.Equal(c.Out.Stride, []int{1}) {
		return 0, false
	}
	x, y := c.In[0], c.In[1]
	if x.Span != a {
		x, y = y, x
	}
	return c.Out.Span, x.Span == a && x.Stride[0] == 1 && y.Span == b && y.Stride[0] == stride
}

// sums reports whether c is the sum of a span over the states.
func (f *forwardStep) sums(c *ir.Contract, of, to ir.SpanID) bool {
	return c.Reduce == ir.ReduceSum && len(c.In) == 1 && f.loops(c, ir.AxisReduced) && c.Out.Span == to && c.In[0].Span == of && c.In[0].Stride[0] == 1
}

// loops reports whether the axes of c are of the given kinds, each of all states.
func (f *forwardStep) loops(c *ir.Contract, kinds ...ir.AxisKind) bool {
	return slices.EqualFunc(c.Axes, kinds, func(x ir.Axis, kind ir.AxisKind) bool { return x.Kind == kind && x.Size == f.states })
}

// stepsForward declares Steps, which makes the steps of several filters at once by the runtime. A
// single step finds out what failed.
func (g *Methods) stepsForward(f *forwardStep) {
	e, t := f.entry, &g.Program.Spans[f.transition]
	g.stepsInRows(&rowSteps{
		how: []string{"It makes several steps at once, which read the transition once, in memory of e that the first call allocates. Steps of slice 0, with",
			"likelihoods, or with evidence on variables that persist are made one by one. A belief is that of a single step up to rounding, the same",
			"on all processors."},
		rows: g.RT("ForwardRows"),
		begin: fmt.Sprintf("if e.forward == nil {\n\te.forward = %s(e.data()[%d:%d], %d, %d, %d)\n}\nvar in [%s]%s\n",
			g.RT("NewForward"), t.Offset, t.Offset+t.Len, f.states, f.to, f.from, g.RT("ForwardRows"), g.RT("ForwardRow")),
		enter: fmt.Sprintf("if _, err := e.%s(&evs[i], nil); err != nil {\n\tbad.Add(i, err)\n\tcontinue\n}\nin[n].Belief, in[n].Column = fs[i].belief[:], %s\n",
			g.Loader(e).Func, g.ColumnRow(e.Stream.Columns[0], "evs[i]")),
		params: fmt.Sprintf(", in *[%s]%s", g.RT("ForwardRows"), g.RT("ForwardRow")), args: ", &in",
		few: fmt.Sprintf("len(rows) < %d", leastForward),
		run: `e.forward.Run(in, len(rows))
for lane, i := range rows {
	f := &fs[i]
	if root := e.forward.Root(lane); root >= 0x1p-1000 && root <= ` + g.Std("math.MaxFloat64") + ` {
		e.forward.Leave(lane, f.belief[:])
		f.multiply(root, 0)
		f.n++
	} else if err := e.step(f, &evs[i], nil, nil); err != nil {
		bad.Add(i, err)
	}
}`})
}

// report returns the report of Steps: a step adds up as many products as the transition has
// elements, and multiplies twice and adds for each state. The slots are those of the transition and
// of the beliefs.
func (f *forwardStep) report() batch.Report {
	blocks := (f.states + pgmrt.ForwardRows - 1) / pgmrt.ForwardRows
	return batch.Report{Method: batch.StepsMethod, By: batch.Lanes, Ops: f.states*f.states + 3*f.states, Slots: blocks * (f.states + pgmrt.ForwardRows)}
}
