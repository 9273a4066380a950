package ir

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// OpChain is a [Chain] before anything has a place in memory.
type OpChain struct {
	ChainOptions
	TrialOptions
	Cut [5]int
	Run []TableID
}

// RowOp is a [Row]: products of tables, and of trees, for the joint states of Vars, the last of them fastest.
type RowOp struct {
	Vars  []model.VarID
	In    []TableID
	Trees []TreeOp
}

// TreeOp is a [TreeView] whose leaves are a table of one number each, or of one for each state of the child.
type TreeOp struct {
	Factor int // of the model
	Leaves TableID
	Child  model.VarID
	Nodes  []TreeTest
}

// ResampleOp, SeekOp and FoldOp are what the steps [Resample], [Seek] and [Fold] are made of. A tally may be NoTable.
type ResampleOp struct {
	RowOp
	Weights TableID
	Tallies []TableID
	Scaled  bool
}

// SeekOp has its levels in the order of the search.
type SeekOp struct {
	Outcome TableID
	Levels  []SeekLevelOp
}

// SeekLevelOp draws the one variable of its row.
type SeekLevelOp struct {
	RowOp
	Weights TableID
	Back    int
}

// FoldOp takes a step of the statistics of one variable.
type FoldOp struct {
	Kind  FoldKind
	Stats [6]TableID
	Run   [6]TableID
}

func (*ResampleOp) op() {}
func (*SeekOp) op()     {}
func (*FoldOp) op()     {}

// Repeats reports whether some blocks of e run more than once.
func (e *ScheduleEntry) Repeats() bool { return e.Loop != nil || e.Chain != nil }

// tables are the tables of a row, those of leaves aside.
func (r *RowOp) tables() []TableID {
	ids := slices.Clone(r.In)
	for i := range r.Trees {
		ids = append(ids, r.Trees[i].Leaves)
	}
	return ids
}

// chainOpReads gives the tables that an operation of this file reads, those that it counts in among them; ok is false for others.
func chainOpReads(op Op) (ids []TableID, ok bool) {
	switch op := op.(type) {
	case *ResampleOp:
		return append(op.tables(), presentTables(op.Tallies...)...), true
	case *SeekOp:
		for i := range op.Levels {
			ids = append(append(ids, op.Levels[i].tables()...), op.Levels[i].Weights)
		}
		return ids, true
	case *FoldOp:
		return append(slices.Clone(op.Stats[:]), op.Run[:]...), true
	case *TrialOp:
		return op.reads(), true
	case *KernelOp:
		return presentTables(append(slices.Clone(op.Reads), op.Writes...)...), true
	}
	return nil, false
}

// chainOpWrites gives the table that an operation of this file sets; NoTable for others.
func chainOpWrites(op Op) TableID {
	switch op := op.(type) {
	case *ResampleOp:
		return op.Weights
	case *SeekOp:
		return op.Outcome
	case *FoldOp:
		return op.Stats[0]
	case *TrialOp:
		return op.Run[0]
	case *KernelOp:
		return op.Writes[0]
	}
	return NoTable
}

func (s *Schedule) rowString(r *RowOp) string {
	text := fmt.Sprintf("%s from %s", s.scope(r.Vars), s.tables(r.In))
	for i := range r.Trees {
		text += fmt.Sprintf(" * tree of %s", s.Model.FactorName(s.Model.Factors[r.Trees[i].Factor]))
	}
	return text
}

// chainOpString writes an operation of this file; ok is false for others.
func (s *Schedule) chainOpString(op Op) (text string, ok bool) {
	switch op := op.(type) {
	case *ResampleOp:
		return "resample " + s.rowString(&op.RowOp), true
	case *SeekOp:
		text := "seek"
		for i := range op.Levels {
			text += fmt.Sprintf("\n\t\t%d, else %d: %s", i, op.Levels[i].Back, s.rowString(&op.Levels[i].RowOp))
		}
		return text, true
	case *FoldOp:
		return fmt.Sprintf("%s %s", op.Kind, s.tables(op.Stats[:1])), true
	case *TrialOp:
		return s.trialString(op), true
	case *KernelOp:
		return fmt.Sprintf("kernel %s sets %s from %s", op.Func, s.scope(op.Sets), s.tables(presentTables(slices.Clone(op.Reads)...))), true
	}
	return "", false
}

// text says how sections repeat, behind the blocks of an entry.
func (c *OpChain) text() string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf("  # sections end at %v; %d chains of %d sweeps after %d", c.Cut, c.Chains, c.Iterations, c.BurnIn)
}

// chainOf checks the chain of e.
func (v *scheduleVerifier) chainOf(e *ScheduleEntry) {
	v.chain(e.Query, e.Chain != nil)
	if e.Chain == nil {
		return
	}
	v.chainOptions(e.Chain.Cut, len(e.Blocks), e.Chain.ChainOptions)
	v.scalars(e.Chain.Run...)
}

// chainOp checks an operation of a sampler.
func (v *scheduleVerifier) chainOp(op Op) {
	switch op := op.(type) {
	case *ResampleOp:
		v.rowOp(&op.RowOp, op.Weights)
		if len(op.Tallies) != len(op.Vars) {
			v.errorf("%d tallies for %d variables", len(op.Tallies), len(op.Vars))
			return
		}
		for i, t := range op.Tallies {
			if t != NoTable && v.writable(t) && !slices.Equal(v.s.Tables[t].Scope, op.Vars[i:i+1]) {
				v.errorf("tally t%d is over %v; want %q", t, v.s.Tables[t].Scope, v.name(op.Vars[i]))
			}
		}
	case *SeekOp:
		v.scalars(op.Outcome)
		for i := range op.Levels {
			v.rowOp(&op.Levels[i].RowOp, op.Levels[i].Weights)
		}
	case *FoldOp:
		if int(op.Kind) >= len(foldNames) {
			v.errorf("no such fold: %d", op.Kind)
		}
		v.sameScope(op.Stats[0], op.Stats[1:]...)
		v.scalars(op.Run[:]...)
	case *TrialOp:
		v.trialOp(op)
	}
}

// rowOp checks the references of a row.
func (v *scheduleVerifier) rowOp(r *RowOp, weights TableID) {
	if !v.vars("row", r.Vars) || !v.tables(r.tables()...) {
		return
	}
	if v.writable(weights) && !slices.Equal(v.s.Tables[weights].Scope, r.Vars) {
		v.errorf("weights t%d are over %v; want %v", weights, v.s.Tables[weights].Scope, r.Vars)
	}
}

// chainStates follows which variables have states through an operation of a sampler.
func (r *scheduleRun) chainStates(op Op) {
	if t, ok := op.(*TrialOp); ok {
		r.trialStates(t)
		return
	}
	if k, ok := op.(*KernelOp); ok {
		for _, id := range k.Sets {
			r.state[id] = true
		}
		return
	}
	s, ok := op.(*SeekOp)
	if !ok {
		return
	}
	for i := range s.Levels {
		l := &s.Levels[i]
		for _, t := range l.In {
			r.fixed(slices.DeleteFunc(slices.Clone(r.v.s.Tables[t].Scope), func(id model.VarID) bool { return id == l.Vars[0] }))
		}
		r.state[l.Vars[0]] = true
	}
}
