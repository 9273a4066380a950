package ir

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// run follows the operations of an entry. It checks that no table is read before it is written, and
// that no variable is fixed before it has a state.
func (v *scheduleVerifier) run(e *ScheduleEntry) {
	r := &scheduleRun{v: v, holds: make([]bool, len(v.s.Tables))}
	for i, t := range v.s.Tables {
		r.holds[i] = t.Role != RoleTemp && t.Role != RoleOut
	}
	given := e.Cutset
	if e.Stream != nil {
		given = slices.Concat(given, e.Stream.States)
	}
	r.states = checkStates(e.Query, given, func(id model.VarID) { v.errorf("%q has no state yet", v.name(id)) })
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
	v      *scheduleVerifier
	holds  []bool // by table: it has been written
	states StateVisitor
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
