package ir

import (
	"fmt"
	"slices"
	"sort"

	"github.com/pgmc-go/pgmc/ir/model"
)

// run follows the steps of an entry: nothing is read before it was written, or after something else was written over it,
// and no variable is fixed before it has a state.
func (v *verifier) run(e *Entry) {
	r := &runState{v: v, holds: make([]bool, len(v.p.Spans)), state: map[model.VarID]bool{}, places: v.laidOut()}
	for i := range v.p.Spans {
		s := &v.p.Spans[i]
		r.holds[i] = s.ReadOnly() || s.Role == RoleIn || s.Role == RolePersistent
	}
	if e.Query.Kind == Signature {
		for _, id := range e.Query.Evidence {
			r.state[id] = true
		}
	}
	for _, place := range e.turns() {
		if e.Loop.forgets(place) {
			r.forget()
		}
		b := e.Blocks[place]
		for k, step := range v.p.Blocks[b].Steps {
			v.at = fmt.Sprintf("entry %q: block b%d %q step %d: ", e.Query.Name, b, v.p.Blocks[b].Name, k)
			r.step(step)
		}
	}
	v.at = fmt.Sprintf("entry %q: after its blocks: ", e.Query.Name)
	if e.Loop != nil {
		r.reads([]SpanID{e.Loop.LogP})
	}
	r.reads(present(append([]SpanID{e.Root, e.Exp}, e.Outs...)...))
}

// runState is what an entry has computed so far.
type runState struct {
	v      *verifier
	holds  []bool // by span: it holds what was written to it
	state  map[model.VarID]bool
	places bool        // spans have places
	live   [2][]SpanID // in work memory and of integers: the temporaries that hold something, by place; they are disjoint
}

func (r *runState) step(step Step) {
	r.reads(ReadSpans(step))
	switch s := step.(type) {
	case *Contract:
		r.fixed(s.Axes)
		if !r.v.fills(s) {
			r.reads([]SpanID{s.Out.Span})
		}
	case *Pick:
		r.fixed(s.Axes)
		r.state[s.Axes[0].Var] = true
	case *Walk:
		for _, id := range s.In {
			if span := &r.v.p.Spans[id]; span.Role == RoleIn {
				r.state[span.Var] = true
			}
		}
	case *Lookup:
		r.fixed(s.Axes)
	case *Resample, *Seek, *Trial, *Kernel:
		r.chainStates(s)
	case *MinSum, *Choose:
		r.energyStates(s)
	}
	for _, id := range WriteSpans(step) {
		r.write(id)
	}
}

// forget notes that temporaries hold nothing.
func (r *runState) forget() {
	for i := range r.holds {
		if r.v.p.Spans[i].Role == RoleTemp {
			r.holds[i] = false
		}
	}
}

// fills reports whether c sets every element of its result. Where it does not, the result must hold something before.
func (v *verifier) fills(c *Contract) bool {
	n := int64(1)
	for _, a := range c.Axes {
		if a.Kind == AxisOut {
			n *= int64(a.Size) // the result's strides are in mixed-radix order: no more than its length
		}
	}
	return n == int64(v.p.Spans[c.Out.Span].Len)
}

func (r *runState) fixed(axes []Axis) {
	for _, a := range axes {
		if a.Kind == AxisFixed && !r.state[a.Var] {
			r.v.errorf("v%d has no state yet", a.Var)
		}
	}
}

func (r *runState) reads(spans []SpanID) {
	for _, id := range spans {
		if !r.holds[id] {
			r.v.errorf("reads s%d, which holds nothing yet or was overwritten", id)
		}
	}
}

// write notes that span id holds something, and temporaries in its place no more.
func (r *runState) write(id SpanID) {
	r.holds[id] = true
	if !r.places || !r.v.shares(id) {
		return
	}
	live := &r.live[0]
	if r.v.p.Spans[id].Elem == Int32 {
		live = &r.live[1]
	}
	span := func(i int) *Span { return &r.v.p.Spans[(*live)[i]] }
	s := &r.v.p.Spans[id]
	from := sort.Search(len(*live), func(i int) bool { return span(i).end() > s.Offset })
	to := from
	for ; to < len(*live) && span(to).Offset < s.end(); to++ {
		r.holds[(*live)[to]] = false
	}
	*live = slices.Replace(*live, from, to, id)
	r.holds[id] = true
}
