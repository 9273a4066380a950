package ir

import (
	"fmt"
	"io"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Schedule is a plan of table operations over sets of variables, before anything has a place in memory: what
// message-passing methods make, and what [Lower] turns into a Program. Blocks run in the order that an entry lists.
type Schedule struct {
	Model   *model.Model
	Params  ParamMode
	Tables  []Table
	Blocks  []OpBlock
	Entries []ScheduleEntry
}

// TableID is the index of a table in Schedule.Tables.
type TableID int

// NoTable stands for an absent table.
const NoTable TableID = -1

// Table is a function of the joint states of its scope; what stands in one over a real variable is at model.RealWidth. The order of the scope is its layout, slowest variable first.
type Table struct {
	Name   string // as comments in generated code show it: "λ Smoke", "{Lung,Smoke} → {Lung}"
	Scope  []model.VarID
	Role   Role
	Factor int32       // of a RoleParam table: the factor of the model whose numbers it holds; no two tables hold the same
	Var    model.VarID // of an In or Out table
	Data   []float64   // of a RoleConst, RoleParam or RoleLogs table, row-major
}

// Size is the number of entries of table t; of leaves, which have no scope, as many as there are.
func (s *Schedule) Size(t TableID) int {
	if table := &s.Tables[t]; len(table.Scope) == 0 {
		return max(1, len(table.Data))
	}
	n := 1
	for _, v := range s.Tables[t].Scope {
		n *= s.Model.Width(v)
	}
	return n
}

// Op is one operation of a schedule. It is sealed: ContractOp, PickOp, NormalizeOp, DampOp, BoltzmannOp, PowersOp, TreeMeanOp, TallyOp,
// ResampleOp, SeekOp, FoldOp, TrialOp, MinSumOp, SpreadOp, EnergyOp, ChooseOp, JudgeOp, KernelOp.
type Op interface{ op() }

// ContractOp sets Out to the product of In, reduced over the variables that are in a scope of In and not in Out's.
type ContractOp struct {
	Out    TableID
	In     []TableID
	Reduce Reduce
}

// PickOp sets the state of Var, given the states picked before, by the row that In gives: its best or a random one.
type PickOp struct {
	Var  model.VarID
	In   []TableID
	Mode PickMode
}

// NormalizeOp divides a table by its sum.
type NormalizeOp struct{ Table TableID }

func (*ContractOp) op()  {}
func (*PickOp) op()      {}
func (*NormalizeOp) op() {}

// OpBlock is a named sequence of operations. The variables in Fixed have one known state each while it runs, so that no
// operation of it ranges over them. Order is the order of variables in the scopes of its tables, slowest first.
type OpBlock struct {
	Name  string
	Fixed []model.VarID
	Order []model.VarID
	Ops   []Op
}

// ScheduleEntry is how one query runs: the blocks to run, in order, and where its answer is.
type ScheduleEntry struct {
	Query  *Query
	Blocks []int
	Root   TableID   // one number: the probability of the evidence, or of the best completion
	Outs   []TableID // posteriors
	Search bool      // see [Entry]
	Loop   *OpLoop   // nil where all blocks run once
	Chain  *OpChain  // nil where nothing is sampled
}

// Reads gives the tables that op reads.
func Reads(op Op) []TableID {
	switch op := op.(type) {
	case *ContractOp:
		return op.In
	case *PickOp:
		return op.In
	case *NormalizeOp:
		return []TableID{op.Table}
	}
	if ids, ok := loopOpReads(op); ok {
		return ids
	}
	if ids, ok := chainOpReads(op); ok {
		return ids
	}
	if ids, ok := energyOpReads(op); ok {
		return ids
	}
	panic(fmt.Sprintf("ir: unknown operation %T", op))
}

// Writes gives the table that op sets or changes; NoTable for a pick. What a step of a loop counts beside that, it also reads.
func Writes(op Op) TableID {
	switch op := op.(type) {
	case *ContractOp:
		return op.Out
	case *NormalizeOp:
		return op.Table
	case *DampOp:
		return op.Table
	case *BoltzmannOp:
		return op.Out
	case *PowersOp:
		return op.Out
	case *TreeMeanOp:
		return op.Out
	case *TallyOp:
		return op.Total
	}
	if t := energyOpWrites(op); t != NoTable {
		return t
	}
	return chainOpWrites(op)
}

// Print writes s as text for people: one line an operation, with scopes and sizes.
func (s *Schedule) Print(w io.Writer) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "schedule %q\n", s.Model.Name)
	for _, blk := range s.Blocks {
		fmt.Fprintf(b, "block %s%s\n", blk.Name, s.fixed(blk.Fixed))
		for _, op := range blk.Ops {
			fmt.Fprintf(b, "\t%s\n", s.opString(op))
		}
	}
	for _, e := range s.Entries {
		names := make([]string, len(e.Blocks))
		for i, blk := range e.Blocks {
			names[i] = s.Blocks[blk].Name
		}
		fmt.Fprintf(b, "entry %s %s%s: %s\n", e.Query.Kind, e.Query.Name, searchText(e.Search), strings.Join(names, " ")+e.Loop.text()+e.Chain.text())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (s *Schedule) fixed(vars []model.VarID) string {
	if len(vars) == 0 {
		return ""
	}
	return " fixed " + s.scope(vars)
}

func (s *Schedule) scope(vars []model.VarID) string {
	names := make([]string, len(vars))
	for i, v := range vars {
		names[i] = s.Model.Vars[v].Name
	}
	return "{" + strings.Join(names, ",") + "}"
}

func (s *Schedule) tables(ids []TableID) string {
	names := make([]string, len(ids))
	for i, t := range ids {
		names[i] = fmt.Sprintf("t%d%s", t, s.scope(s.Tables[t].Scope))
	}
	return strings.Join(names, " * ")
}

func (s *Schedule) opString(op Op) string {
	switch op := op.(type) {
	case *ContractOp:
		return fmt.Sprintf("%s = %s %s  # %s, %d entries", s.tables([]TableID{op.Out}), op.Reduce, s.tables(op.In), s.Tables[op.Out].Name, s.Size(op.Out))
	case *PickOp:
		return fmt.Sprintf("%s %s from %s", op.Mode, s.Model.Vars[op.Var].Name, s.tables(op.In))
	case *NormalizeOp:
		return "normalize " + s.tables([]TableID{op.Table})
	}
	if text, ok := s.loopOpString(op); ok {
		return text
	}
	if text, ok := s.chainOpString(op); ok {
		return text
	}
	if text, ok := s.energyOpString(op); ok {
		return text
	}
	panic(fmt.Sprintf("ir: unknown operation %T", op))
}
