package ir

import (
	"fmt"
	"math"
	"slices"
)

// OpLoop is a [Loop] before anything has a place in memory.
type OpLoop struct {
	First, End int
	LoopOptions
	Residual, Rate, LogP TableID
	Bound                TableID   // NoTable where there is none
	Decode               *OpDecode // nil where no states are chosen
	Push                 [][]int32 // by block of the loop: those that it pushes; nil where the blocks run in rounds, see [Loop]
	Priority             bool      // the largest residual first
}

// DampOp, BoltzmannOp, PowersOp and TallyOp are what the steps [Damp], [Boltzmann], [Powers] and [Tally] are made of.
type DampOp struct{ Table, New, Rate, Residual TableID }

// BoltzmannOp has no Weight where that is NoTable.
type BoltzmannOp struct {
	Out, Weight TableID
	In          []TableID
}

// PowersOp has a power for each table of In.
type PowersOp struct {
	Out   TableID
	In    []TableID
	Power []float64
}

// TallyOp has no Alive and no Ref where these are NoTable.
type TallyOp struct {
	Kind                  TallyKind
	Factor                float64
	Total, In, Alive, Ref TableID
}

func (*DampOp) op()      {}
func (*BoltzmannOp) op() {}
func (*PowersOp) op()    {}
func (*TallyOp) op()     {}

func presentTables(ids ...TableID) []TableID {
	return slices.DeleteFunc(ids, func(t TableID) bool { return t == NoTable })
}

// loopOpReads gives the tables that an operation of this file reads; ok is false for others.
func loopOpReads(op Op) (ids []TableID, ok bool) {
	switch op := op.(type) {
	case *DampOp:
		return []TableID{op.Table, op.New, op.Rate, op.Residual}, true
	case *BoltzmannOp:
		return append(presentTables(op.Weight), op.In...), true
	case *PowersOp:
		return op.In, true
	case *TreeMeanOp:
		return op.reads(), true
	case *TallyOp:
		return presentTables(op.Total, op.In, op.Alive, op.Ref), true
	}
	return nil, false
}

// loopOpString writes an operation of this file; ok is false for others.
func (s *Schedule) loopOpString(op Op) (text string, ok bool) {
	switch op := op.(type) {
	case *DampOp:
		return fmt.Sprintf("damp %s towards %s  # %s", s.tables([]TableID{op.Table}), s.tables([]TableID{op.New}), s.Tables[op.Table].Name), true
	case *BoltzmannOp:
		weight := ""
		if op.Weight != NoTable {
			weight = s.tables([]TableID{op.Weight}) + " * "
		}
		return fmt.Sprintf("%s = %sexp -(%s)", s.tables([]TableID{op.Out}), weight, s.tables(op.In)), true
	case *PowersOp:
		return fmt.Sprintf("%s = %s to the powers %v", s.tables([]TableID{op.Out}), s.tables(op.In), op.Power), true
	case *TreeMeanOp:
		return s.treeMeanString(op), true
	case *TallyOp:
		return fmt.Sprintf("%s %s %s to t%d", op.Kind, number(op.Factor), s.tables([]TableID{op.In}), op.Total), true
	}
	return "", false
}

// text names what repeats, behind the blocks of an entry.
func (l *OpLoop) text() string {
	if l == nil {
		return ""
	}
	return fmt.Sprintf("  # %d to %d again, at most %d times, until t%d is at most %s", l.First, l.End-1, l.Iterations, l.Residual, number(l.Tolerance))
}

// loopOf checks the loop of e.
func (v *scheduleVerifier) loopOf(e *ScheduleEntry) {
	v.loop(e.Query, e.Loop != nil)
	if e.Loop == nil {
		return
	}
	v.loopOptions(e.Loop.First, e.Loop.End, len(e.Blocks), e.Loop.LoopOptions)
	v.scalars(presentTables(e.Loop.Residual, e.Loop.Rate, e.Loop.LogP, e.Loop.Bound)...)
	v.decodes(e.Query, e.Loop.Decode != nil)
	if d := e.Loop.Decode; d != nil {
		v.scalars(presentTables(d.Bound, d.Slack, d.Ties)...)
	}
	if n := e.Loop.End - e.Loop.First; e.Loop.Push != nil && len(e.Loop.Push) != n {
		v.errorf("a queue of %d items for %d blocks", len(e.Loop.Push), n)
	}
}

// scalars checks that each of some tables is one number.
func (v *scheduleVerifier) scalars(ids ...TableID) {
	for _, t := range ids {
		if v.tables(t) && len(v.s.Tables[t].Scope) > 0 {
			v.errorf("t%d is over %v; want one number", t, v.s.Tables[t].Scope)
		}
	}
}

// sameScope checks that some tables are over the variables of the first.
func (v *scheduleVerifier) sameScope(first TableID, ids ...TableID) {
	if !v.tables(append(ids, first)...) {
		return
	}
	for _, t := range ids {
		if !slices.Equal(v.s.Tables[t].Scope, v.s.Tables[first].Scope) {
			v.errorf("t%d is over %v; want %v, as t%d", t, v.s.Tables[t].Scope, v.s.Tables[first].Scope, first)
		}
	}
}

// loopOp checks an operation of a loop.
func (v *scheduleVerifier) loopOp(op Op) {
	switch op := op.(type) {
	case *DampOp:
		v.writable(op.Table)
		v.sameScope(op.Table, op.New)
		v.scalars(op.Rate, op.Residual)
	case *BoltzmannOp:
		v.writable(op.Out)
		v.sameScope(op.Out, append(presentTables(op.Weight), op.In...)...)
	case *PowersOp:
		v.writable(op.Out)
		v.sameScope(op.Out, op.In...)
		if len(op.In) != len(op.Power) {
			v.errorf("%d powers of %d tables", len(op.Power), len(op.In))
		}
	case *TreeMeanOp:
		v.treeMean(op)
	case *TallyOp:
		if op.Kind > TallyEntropy || math.IsNaN(op.Factor) || math.IsInf(op.Factor, 0) {
			v.errorf("tally %d of %v times a sum", op.Kind, op.Factor)
		}
		v.tables(op.In)
		v.scalars(presentTables(op.Total, op.Alive)...)
		if op.Ref != NoTable {
			v.sameScope(op.In, op.Ref)
		}
	}
}

// turns are places of the blocks of e in the order in which they run, those of a loop twice.
func (e *ScheduleEntry) turns() []int {
	if e.Chain != nil {
		return chainTurns(len(e.Blocks), e.Chain.Cut)
	}
	if e.Loop == nil {
		return (*Loop)(nil).turns(len(e.Blocks))
	}
	return (&Loop{First: e.Loop.First, End: e.Loop.End}).turns(len(e.Blocks))
}
