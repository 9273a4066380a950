package ir

import (
	"fmt"
	"slices"
	"sort"

	"github.com/pgmc-go/pgmc/ir/model"
)

// run follows the steps of an entry. It checks that no step reads a span before it is written or
// after another span overwrote it, and that no variable is fixed before it has a state.
func (v *verifier) run(e *Entry) {
	r := newRun(v)
	if e.Query.Kind == Signature {
		for _, id := range e.Query.Evidence {
			r.state[id] = true
		}
	}
	if e.Stream != nil {
		for _, id := range e.Stream.States {
			r.state[id] = true
		}
	}
	for _, id := range e.Cutset {
		r.state[id] = true
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
	if !e.Rooted() && e.Loop != nil {
		r.read(&e.Loop.LogP, Read)
	}
	for _, id := range present(append(e.Answers(), e.Exp)...) {
		r.read(&id, Read)
	}
}

// runState holds the spans that an entry has computed so far.
type runState struct {
	v      *verifier
	holds  []bool // by span: its contents are valid
	state  map[model.VarID]bool
	places bool        // spans have places
	live   [2][]SpanID // in work memory and of integers: the temporaries with valid contents, by place; they are disjoint

	read, write, rest RefVisitor // visitors for the spans that a step reads, those that it writes, and those that it sets in part
	states            StateVisitor
}

func newRun(v *verifier) *runState {
	r := &runState{v: v, holds: make([]bool, len(v.p.Spans)), state: map[model.VarID]bool{}, places: v.laidOut()}
	for i := range v.p.Spans {
		s := &v.p.Spans[i]
		r.holds[i] = s.ReadOnly() || s.Role == RoleIn || s.Role == RolePersistent
	}
	r.read = func(id *SpanID, use Use) { r.needs(*id, use.Reads()) }
	r.rest = func(id *SpanID, use Use) { r.needs(*id, use == Write) }
	r.write = func(id *SpanID, use Use) {
		if use.Writes() {
			r.fill(*id)
		}
	}
	r.states = func(id model.VarID, use Use) {
		if use.Reads() && !r.state[id] {
			v.errorf("v%d has no state yet", id)
		}
		r.state[id] = r.state[id] || use.Writes()
	}
	return r
}

func (r *runState) step(step Step) {
	step.Refs(r.read)
	step.States(r.v.p, r.states)
	if f, ok := step.(filler); ok && !f.Fills(r.v.p) {
		step.Refs(r.rest)
	}
	step.Refs(r.write)
}

// needs checks that a span has valid contents, if asked is set.
func (r *runState) needs(id SpanID, asked bool) {
	if asked && !r.holds[id] {
		r.v.errorf("reads s%d, which was not written yet or was overwritten", id)
	}
}

// forget marks the contents of all temporaries as invalid.
func (r *runState) forget() {
	for i := range r.holds {
		if r.v.p.Spans[i].Role == RoleTemp {
			r.holds[i] = false
		}
	}
}

// fill marks the contents of span id as valid, and the contents of temporaries in its place as
// invalid.
func (r *runState) fill(id SpanID) {
	r.holds[id] = true
	if !r.places || !r.v.shares(id) {
		return
	}
	live := &r.live[0]
	if r.v.p.Spans[id].Elem == Int32 {
		live = &r.live[1]
	}
	p := r.v.p
	from := sort.Search(len(*live), func(i int) bool { return p.end((*live)[i]) > p.Spans[id].Offset })
	to := from
	for ; to < len(*live) && p.Spans[(*live)[to]].Offset < p.end(id); to++ {
		r.holds[(*live)[to]] = false
	}
	*live = slices.Replace(*live, from, to, id)
	r.holds[id] = true
}
