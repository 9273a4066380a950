package ir

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// MinSumOp, SpreadOp, EnergyOp, ChooseOp and JudgeOp are what the steps [MinSum], [Spread], [Energy], [Choose] and [Judge] are made of.
// The axes of a MinSumOp are the variables of its table that have more than one state, those of Standing at their states; In is by
// place in that list. To is a variable, or -1.
type MinSumOp struct {
	Out, Table TableID
	In         []TableID
	Standing   []model.VarID
	To         model.VarID
}

// SpreadOp is a [Spread].
type SpreadOp struct {
	Base                                 TableID
	In, Out                              []TableID
	Divide                               []int32
	Belief, Alive, Bound, Residual, Rate TableID
	Share                                [2]int32
}

// EnergyOp has no Weight where that is NoTable.
type EnergyOp struct {
	Out, Weight TableID
	In          []TableID
}

// ChooseOp chooses a state of Var.
type ChooseOp struct {
	Var                 model.VarID
	In                  []TableID
	Final               int
	Value, Ties, Belief TableID
}

// JudgeOp keeps the best states in memory of its own.
type JudgeOp struct{ Run [JudgeNumbers]TableID }

// OpDecode is a [Decode] before anything has a place in memory.
type OpDecode struct {
	Bound, Slack, Ties TableID // NoTable where there is none
	Exact              bool
}

func (*MinSumOp) op() {}
func (*SpreadOp) op() {}
func (*EnergyOp) op() {}
func (*ChooseOp) op() {}
func (*JudgeOp) op()  {}

// Looping are the variables of the axes of op.
func (op *MinSumOp) Looping(s *Schedule) []model.VarID {
	return slices.DeleteFunc(slices.Clone(s.Tables[op.Table].Scope), func(v model.VarID) bool { return s.Model.Card(v) == 1 })
}

// energyOpReads gives the tables that an operation of this file reads, those that it changes among them; ok is false for others.
func energyOpReads(op Op) (ids []TableID, ok bool) {
	switch op := op.(type) {
	case *MinSumOp:
		return append(presentTables(slices.Clone(op.In)...), op.Table), true
	case *SpreadOp:
		ids := append(slices.Concat(op.In, op.Out), op.Base, op.Alive)
		return append(ids, presentTables(op.Bound, op.Residual, op.Rate)...), true
	case *EnergyOp:
		return append(presentTables(op.Weight), op.In...), true
	case *ChooseOp:
		return append(slices.Clone(op.In), op.Value, op.Ties, op.Belief), true
	case *JudgeOp:
		return slices.Clone(op.Run[:]), true
	}
	return nil, false
}

// energyOpWrites gives the table that an operation of this file sets; NoTable for others. What a SpreadOp sets beside that is persistent.
func energyOpWrites(op Op) TableID {
	switch op := op.(type) {
	case *MinSumOp:
		return op.Out
	case *SpreadOp:
		return op.Alive
	case *EnergyOp:
		return op.Out
	case *ChooseOp:
		return op.Value
	case *JudgeOp:
		return op.Run[JudgeNumbers-1]
	}
	return NoTable
}

// energyOpString writes an operation of this file; ok is false for others.
func (s *Schedule) energyOpString(op Op) (text string, ok bool) {
	switch op := op.(type) {
	case *MinSumOp:
		in := presentTables(slices.Clone(op.In)...)
		return fmt.Sprintf("%s = least of %s%s  # %s", s.tables([]TableID{op.Out}), s.tables(append([]TableID{op.Table}, in...)), s.fixed(op.Standing),
			s.Tables[op.Out].Name), true
	case *SpreadOp:
		return fmt.Sprintf("spread %s to %s by %v", s.tables(append([]TableID{op.Base}, op.In...)), s.tables(op.Out), op.Divide), true
	case *EnergyOp:
		weight := ""
		if op.Weight != NoTable {
			weight = " -ln " + s.tables([]TableID{op.Weight})
		}
		return fmt.Sprintf("%s = energies%s %s", s.tables([]TableID{op.Out}), weight, s.tables(op.In)), true
	case *ChooseOp:
		return fmt.Sprintf("choose %s by %s", s.Model.Vars[op.Var].Name, s.tables(op.In)), true
	case *JudgeOp:
		return "judge " + s.tables(op.Run[:]), true
	}
	return "", false
}

// energyOp checks an operation of this file.
func (v *scheduleVerifier) energyOp(op Op) {
	switch op := op.(type) {
	case *MinSumOp:
		if v.tables(op.Table) && len(op.In) != len(op.Looping(v.s)) {
			v.errorf("%d operands for %d axes", len(op.In), len(op.Looping(v.s)))
		}
		v.writable(op.Out)
	case *SpreadOp:
		v.sameScope(op.Base, slices.Concat(op.In, op.Out, []TableID{op.Belief})...)
		v.scalars(presentTables(op.Alive, op.Bound, op.Residual, op.Rate)...)
	case *EnergyOp:
		v.writable(op.Out)
		v.sameScope(op.Out, append(presentTables(op.Weight), op.In...)...)
	case *ChooseOp:
		v.tables(op.In...)
		v.scalars(op.Value, op.Ties)
	case *JudgeOp:
		v.scalars(op.Run[:]...)
	}
}

// energyStates follows the states that an operation needs and sets.
func (r *scheduleRun) energyStates(op Op) {
	switch op := op.(type) {
	case *MinSumOp:
		r.fixed(op.Standing)
	case *ChooseOp:
		r.state[op.Var] = true
	case *SpreadOp:
		r.holds[op.Belief] = true
	}
}
