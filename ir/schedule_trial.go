package ir

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// TrialOp is what a [Trial] is made of.
type TrialOp struct {
	Kind          TrialKind
	Run           []TableID
	Levels        []TrialLevelOp
	Vars          []model.VarID
	First, Second []TableID
}

// TrialLevelOp is a level of a TrialOp.
type TrialLevelOp struct {
	RowOp
	Weights TableID
	Near    []int32
}

func (*TrialOp) op() {}

// reads are the tables that op reads.
func (op *TrialOp) reads() []TableID {
	ids := presentTables(slices.Concat(op.Run, op.First, op.Second)...)
	for i := range op.Levels {
		ids = append(append(ids, op.Levels[i].tables()...), op.Levels[i].Weights)
	}
	return ids
}

// trialString writes an operation for people.
func (s *Schedule) trialString(op *TrialOp) string {
	text := op.Kind.String()
	for i := range op.Levels {
		text += "\n\t\t" + s.rowString(&op.Levels[i].RowOp)
	}
	return text
}

// trialOp checks the references of an operation of trials.
func (v *scheduleVerifier) trialOp(op *TrialOp) {
	v.scalars(op.Run...)
	for i := range op.Levels {
		v.rowOp(&op.Levels[i].RowOp, op.Levels[i].Weights)
	}
	if len(op.First) != len(op.Vars) || len(op.Second) != len(op.Vars) {
		v.errorf("lists of %d and %d tables for %d variables", len(op.First), len(op.Second), len(op.Vars))
		return
	}
	v.vars("lists", op.Vars)
	v.tables(presentTables(slices.Concat(op.First, op.Second)...)...)
}

// trialStates follows which variables have states through an operation of trials.
func (r *scheduleRun) trialStates(op *TrialOp) {
	for i := range op.Levels {
		l := &op.Levels[i]
		if op.Kind == TrialForward {
			for _, v := range l.Vars {
				r.state[v] = true
			}
		}
		for _, t := range l.In {
			r.fixed(r.v.s.Tables[t].Scope)
		}
	}
}
