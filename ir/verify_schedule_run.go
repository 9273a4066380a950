package ir

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// run follows the operations of an entry: no table is read before it was written, no variable is fixed before it has a
// state.
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
	for _, place := range e.turns() {
		i := e.Blocks[place]
		b := &v.s.Blocks[i]
		v.at = fmt.Sprintf("entry %q: block %d %q: ", e.Query.Name, i, b.Name)
		r.fixed(b.Fixed)
		for k, op := range b.Ops {
			v.at = fmt.Sprintf("entry %q: block %d %q operation %d: ", e.Query.Name, i, b.Name, k)
			r.op(op)
		}
	}
	v.at = fmt.Sprintf("entry %q: after its blocks: ", e.Query.Name)
	r.reads(e.Outs)
	if e.Root != NoTable {
		r.reads([]TableID{e.Root})
	}
}

// scheduleRun is what an entry has computed so far.
type scheduleRun struct {
	v     *scheduleVerifier
	holds []bool // by table: it has been written
	state []bool // by variable: it has a state
}

func (r *scheduleRun) op(op Op) {
	r.reads(Reads(op))
	if out := Writes(op); out != NoTable {
		r.holds[out] = true
	}
	r.chainStates(op)
	r.energyStates(op)
	p, ok := op.(*PickOp)
	if !ok {
		return
	}
	for _, t := range p.In {
		r.fixed(slices.DeleteFunc(slices.Clone(r.v.s.Tables[t].Scope), func(id model.VarID) bool { return id == p.Var }))
	}
	r.state[p.Var] = true
}

func (r *scheduleRun) reads(tables []TableID) {
	for _, t := range tables {
		if !r.holds[t] {
			r.v.errorf("reads t%d, which holds nothing yet", t)
		}
	}
}

func (r *scheduleRun) fixed(vars []model.VarID) {
	for _, id := range vars {
		if !r.state[id] {
			r.v.errorf("%q has no state yet", r.v.name(id))
		}
	}
}
