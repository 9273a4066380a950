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
	given := e.Cutset
	if e.Stream != nil {
		given = slices.Concat(given, e.Stream.States)
	}
	r.states = checkStates(e.Query, given, func(id model.VarID) { v.errorf("v%d has no state yet", id) })
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

// checkStates returns a visitor of the states that the steps of an entry read and write. It calls
// fault if one is read before it is written. The caller sets the states of given, and the evidence
// of a signature, before the run.
func checkStates(q *Query, given []model.VarID, fault func(model.VarID)) StateVisitor {
	if q.Kind == Signature {
		given = slices.Concat(given, q.Evidence)
	}
	known := map[model.VarID]bool{}
	for _, id := range given {
		known[id] = true
	}
	return func(id model.VarID, use Use) {
		if use.Reads() && !known[id] {
			fault(id)
		}
		known[id] = known[id] || use.Writes()
	}
}

// runState holds the spans that an entry has computed so far.
type runState struct {
	v      *verifier
	holds  []bool      // by span: its contents are valid
	places bool        // spans have places
	live   [2][]SpanID // in work memory and of integers: the temporaries with valid contents, by place; they are disjoint

	read, write, rest RefVisitor // visitors for the spans that a step reads, those that it writes, and those that it sets in part
	states            StateVisitor
}

func newRun(v *verifier) *runState {
	r := &runState{v: v, holds: make([]bool, len(v.p.Spans)), places: v.laidOut()}
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
