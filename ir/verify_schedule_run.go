package ir

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
)

// run follows the operations of an entry. It checks that no table is read before it is written, and
// that no variable is fixed before it has a state.
func (v *scheduleVerifier) run(e *ScheduleEntry) {
	r := &scheduleRun{v: v, holds: make([]bool, len(v.s.Tables)), state: make([]bool, len(v.s.Model.Vars))}
	for i, t := range v.s.Tables {
		r.holds[i] = t.Role != RoleTemp && t.Role != RoleOut
	}
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
		i := e.Blocks[place]
		b := &v.s.Blocks[i]
		v.at = fmt.Sprintf("entry %q: block %d %q: ", e.Query.Name, i, b.Name)
		for _, id := range b.Fixed {
			r.states(id, Read)
		}
		for k, op := range b.Ops {
			v.at = fmt.Sprintf("entry %q: block %d %q operation %d: ", e.Query.Name, i, b.Name, k)
			r.op(op)
		}
	}
	v.at = fmt.Sprintf("entry %q: after its blocks: ", e.Query.Name)
	for _, t := range e.Answers() {
		r.tables(t, Read)
	}
}

// scheduleRun holds the tables that an entry has computed so far.
type scheduleRun struct {
	v     *scheduleVerifier
	holds []bool // by table: it has been written
	state []bool // by variable: it has a state
}

func (r *scheduleRun) op(op Op) {
	op.Tables(r.tables)
	op.States(r.v.s, r.states)
	op.Tables(func(t TableID, use Use) { r.holds[t] = r.holds[t] || use.Writes() })
}

// tables records a use of a table.
func (r *scheduleRun) tables(t TableID, use Use) {
	if use.Reads() && !r.holds[t] {
		r.v.errorf("reads t%d, which was not written yet", t)
	}
}

// states records a use of a state.
func (r *scheduleRun) states(id model.VarID, use Use) {
	if use.Reads() && !r.state[id] {
		r.v.errorf("%q has no state yet", r.v.name(id))
	}
	r.state[id] = r.state[id] || use.Writes()
}
