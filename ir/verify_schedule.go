package ir

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Verify checks that s is well formed: tables, variables and blocks are in range, scopes name a
// variable once and fit the operations, and every entry writes tables before it reads them. The
// error lists the first broken rules, one per line. The model must have passed its own checks.
func (s *Schedule) Verify() error {
	v := &scheduleVerifier{s: s}
	prefix := fmt.Sprintf("schedule %q: ", s.Model.Name)
	for i := range s.Tables {
		v.at = fmt.Sprintf("table t%d %q: ", i, s.Tables[i].Name)
		v.table(&s.Tables[i])
	}
	if len(v.faults) > 0 { // the other checks rely on scopes
		return v.err(prefix)
	}
	for i := range s.Blocks {
		v.block(i, &s.Blocks[i])
	}
	names := map[string]bool{}
	for i := range s.Entries {
		v.at = fmt.Sprintf("entry %d: ", i)
		v.entry(&s.Entries[i], names)
	}
	if len(v.faults) == 0 {
		for i := range s.Entries {
			v.run(&s.Entries[i])
		}
	}
	return v.err(prefix)
}

type scheduleVerifier struct {
	faultList
	s *Schedule
}

// vars checks that each of vars is a variable of the model, named once.
func (v *scheduleVerifier) vars(what string, vars []model.VarID) bool {
	seen := map[model.VarID]bool{}
	for _, id := range vars {
		if id < 0 || int(id) >= len(v.s.Model.Vars) {
			v.errorf("%s names v%d of %d", what, id, len(v.s.Model.Vars))
			return false
		}
		if seen[id] {
			v.errorf("%s names %q twice", what, v.name(id))
			return false
		}
		seen[id] = true
	}
	return true
}

func (v *scheduleVerifier) name(id model.VarID) string { return v.s.Model.Vars[id].Name }

func (v *scheduleVerifier) table(t *Table) {
	if int(t.Role) >= len(roleNames) {
		v.errorf("unknown role: %d", t.Role)
		return
	}
	if !v.vars("scope", t.Scope) {
		return
	}
	n, ok := v.s.Model.TableSize(t.Scope)
	if len(t.Scope) == 1 { // of a real variable, which has no states
		n, ok = v.s.Model.Width(t.Scope[0]), true
	}
	if !ok {
		v.errorf("has e^%.1f entries; want at most %d", v.s.Model.LogTableSize(t.Scope), math.MaxInt32)
	}
	n *= max(1, t.Parts)
	readOnly := t.Role.ReadOnly()
	switch {
	case readOnly && len(t.Scope) == 0 && t.Parts == 0 && len(t.Data) > 1: // the leaves of a tree
	case readOnly && len(t.Data) != n:
		v.errorf("it has %d numbers of data; want %d", len(t.Data), n)
	case !readOnly && len(t.Data) > 0:
		v.errorf("%v has data; want none", t.Role)
	}
	if i := slices.IndexFunc(t.Data, func(x float64) bool { return !t.Role.holds(x) }); i >= 0 {
		v.errorf("number %d of its data is %v; want a finite number of at least 0", i, t.Data[i])
	}
	if t.Role == RoleIn || t.Role == RoleOut && t.Var != -1 {
		if !slices.Equal(t.Scope, []model.VarID{t.Var}) {
			v.errorf("%v is over %v; want only variable v%d", t.Role, t.Scope, t.Var)
		}
	} else if t.Var != -1 {
		v.errorf("%v belongs to variable v%d; want an input or output", t.Role, t.Var)
	}
}

func (v *scheduleVerifier) block(i int, b *OpBlock) {
	v.at = fmt.Sprintf("block %d %q: ", i, b.Name)
	if !v.vars("fixed", b.Fixed) || !v.vars("order", b.Order) {
		return
	}
	for k, op := range b.Ops {
		v.at = fmt.Sprintf("block %d %q operation %d: ", i, b.Name, k)
		if op == nil {
			v.errorf("unknown operation %T", op)
			continue
		}
		op.verify(v, b)
	}
}

func (v *scheduleVerifier) tables(ids ...TableID) bool {
	for _, t := range ids {
		if t < 0 || int(t) >= len(v.s.Tables) {
			v.errorf("uses table t%d of %d", t, len(v.s.Tables))
			return false
		}
	}
	return true
}

func (v *scheduleVerifier) writable(t TableID) bool {
	if !v.tables(t) {
		return false
	}
	if role := v.s.Tables[t].Role; role == RoleIn || role.ReadOnly() {
		v.errorf("writes table t%d, which is %v", t, role)
	}
	return true
}

// ordered checks that tables are laid out in the order of their block, if it has one. Parameters,
// answers over several variables and persistent tables have the layout of the code that writes or
// reads them.
func (v *scheduleVerifier) ordered(b *OpBlock, tables []TableID) {
	if len(b.Order) == 0 {
		return
	}
	for _, t := range tables {
		if table := &v.s.Tables[t]; table.Role.IsParam() || table.Role == RoleOut && table.Var == -1 || table.Role == RolePersistent {
			continue
		}
		last := -1
		for _, id := range v.s.Tables[t].Scope {
			at := slices.Index(b.Order, id)
			if at <= last {
				v.errorf("t%d has %q at a place other than in the order of the block", t, v.name(id))
				break
			}
			last = at
		}
	}
}

// scalars checks that each of the tables is one number.
func (v *scheduleVerifier) scalars(ids ...TableID) {
	for _, t := range ids {
		if v.tables(t) && len(v.s.Tables[t].Scope) > 0 {
			v.errorf("t%d is over %v; want one number", t, v.s.Tables[t].Scope)
		}
	}
}

// sameScope checks that the tables have the variables of the first.
func (v *scheduleVerifier) sameScope(first TableID, ids ...TableID) {
	if !v.tables(slices.Concat(ids, []TableID{first})...) {
		return
	}
	for _, t := range ids {
		if !slices.Equal(v.s.Tables[t].Scope, v.s.Tables[first].Scope) {
			v.errorf("t%d is over %v; want %v, as t%d", t, v.s.Tables[t].Scope, v.s.Tables[first].Scope, first)
		}
	}
}

func (v *scheduleVerifier) entry(e *ScheduleEntry, names map[string]bool) {
	if e.Query == nil {
		v.errorf("it has no query")
		return
	}
	v.at = fmt.Sprintf("entry %q: ", e.Query.Name)
	v.query(e.Query, names, e.Root != NoTable, len(e.Outs))
	v.search(e.Query, e.Search, len(e.Outs))
	v.loopOf(e)
	v.chainOf(e)
	v.streamOf(e)
	v.vars("query", e.Query.Targets)
	v.vars("query", e.Query.Evidence)
	v.vars("cutset", e.Cutset)
	for _, b := range e.Blocks {
		if b < 0 || b >= len(v.s.Blocks) {
			v.errorf("runs block %d of %d", b, len(v.s.Blocks))
		}
	}
	if e.Root != NoTable && v.tables(e.Root) && len(v.s.Tables[e.Root].Scope) > 0 {
		v.errorf("root t%d is over %v; want one number", e.Root, v.s.Tables[e.Root].Scope)
	}
	v.scalars(e.Logs...)
	for _, u := range e.Utilities {
		v.tables(u.In, u.Values)
	}
	if !v.tables(e.Outs...) {
		return
	}
	for i, t := range e.Outs {
		if role := v.s.Tables[t].Role; role != RoleOut {
			v.errorf("output t%d is %v", t, role)
		}
		if slices.Contains(e.Outs[:i], t) {
			v.errorf("output t%d is listed twice", t)
		}
		want := e.Query.Targets
		if e.Query.Kind == Joint {
			want, _ = v.s.Model.SplitReal(want) // the means and covariances of real ones are parts
		}
		if (e.Query.oneTarget() || e.Query.Kind == Joint) && !slices.Equal(v.s.Tables[t].Scope, want) {
			v.errorf("output t%d is over %v; want the target, %v", t, v.s.Tables[t].Scope, want)
		}
		if scope := v.s.Tables[t].Scope; (e.Query.Kind == MPE || e.Query.Kind == Sample) && (len(scope) != 1 || !v.s.Model.IsReal(scope[0])) {
			v.errorf("output t%d is over %v; want one real variable, since the others have states", t, scope)
		}
	}
}
