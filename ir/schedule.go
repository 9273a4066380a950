package ir

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Schedule is a plan of table operations over sets of variables, before anything has a place in
// memory: what message-passing methods make, and what a [Lowering] turns into a Program. Blocks
// run in the order that an entry lists.
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

// Table is a function of the joint states of its scope; what stands in one over a real variable
// is at model.RealWidth. The order of the scope is its layout, slowest variable first.
type Table struct {
	Name   string // as comments in generated code show it: "λ Smoke", "{Lung,Smoke} → {Lung}"
	Scope  []model.VarID
	Role   Role
	Factor int32       // of a RoleParam table: the factor of the model whose numbers it holds; no two tables hold the same
	Var    model.VarID // of an In or Out table
	Data   []float64   // of a RoleConst, RoleParam or RoleLogs table, row-major
}

// OpBlock is a named sequence of operations. The variables in Fixed have one known state each
// while it runs, so that no operation of it ranges over them. Order is the order of variables in
// the scopes of its tables, slowest first.
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
	Loop   *OpLoop   // nil if all blocks run once
	Chain  *OpChain  // nil if nothing is sampled
}

// Repeats reports whether some blocks of e run more than once.
func (e *ScheduleEntry) Repeats() bool { return e.Loop != nil || e.Chain != nil }

// turns are places of the blocks of e in the order in which they run, those of a loop twice.
func (e *ScheduleEntry) turns() []int {
	switch {
	case e.Chain != nil:
		return chainTurns(len(e.Blocks), e.Chain.Cut)
	case e.Loop != nil:
		return loopTurns(len(e.Blocks), e.Loop.First, e.Loop.End)
	}
	return loopTurns(len(e.Blocks), 0, 0)
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

// JointStates counts the joint states of the variables of tables, those in fixed aside. The count
// is a float64, since it may be beyond any integer.
type JointStates func(fixed []model.VarID, tables ...TableID) float64

// JointStates makes a counter for the tables of s. It looks at scopes alone.
func (s *Schedule) JointStates() JointStates {
	seen, calls := make([]int, len(s.Model.Vars)), 0 // by variable: the last call that met it
	return func(fixed []model.VarID, tables ...TableID) float64 {
		calls++
		for _, v := range fixed {
			seen[v] = calls
		}
		n := 1.0
		for _, t := range tables {
			for _, v := range s.Tables[t].Scope {
				if seen[v] != calls {
					seen[v] = calls
					n *= float64(s.Model.Card(v))
				}
			}
		}
		return n
	}
}

// Places gives, by variable, its place in the order of block b; it is what scopes are sorted by.
func (s *Schedule) Places(b *OpBlock) []int {
	place := make([]int, len(s.Model.Vars))
	for i, v := range b.Order {
		place[v] = i
	}
	return place
}

// Union is the variables of tables, sorted by place.
func (s *Schedule) Union(place []int, tables ...TableID) []model.VarID {
	var out []model.VarID
	for _, t := range tables {
		out = append(out, s.Tables[t].Scope...)
	}
	slices.SortFunc(out, func(x, y model.VarID) int { return place[x] - place[y] })
	return slices.Compact(out)
}

// Strides gives, for each variable of to, how far apart its states lie in a row-major table over
// from; 0 if from lacks it.
func Strides(m *model.Model, from, to []model.VarID) []int {
	stride := map[model.VarID]int{}
	n := 1
	for i := len(from) - 1; i >= 0; i-- {
		stride[from[i]] = n
		n *= m.Card(from[i])
	}
	out := make([]int, len(to))
	for i, v := range to {
		out[i] = stride[v]
	}
	return out
}

// Print writes s as text for people: one line a table, with its scope, role and numbers, and one
// line an operation, with scopes and sizes.
func (s *Schedule) Print(w io.Writer) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "schedule %q\n", s.Model.Name)
	for i := range s.Tables {
		t := &s.Tables[i]
		fmt.Fprintf(b, "table %s %s %q", s.tables(TableID(i)), t.Role, t.Name)
		for _, x := range t.Data {
			b.WriteString(" " + number(x))
		}
		b.WriteByte('\n')
	}
	for _, blk := range s.Blocks {
		fmt.Fprintf(b, "block %s%s\n", blk.Name, s.fixed(blk.Fixed))
		for _, op := range blk.Ops {
			fmt.Fprintf(b, "\t%s\n", op.Text(s))
		}
	}
	for i := range s.Entries {
		b.WriteString(s.entryText(&s.Entries[i]) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// entryText returns the line of an entry: its query, its blocks, where its answers are, and what
// repeats.
func (s *Schedule) entryText(e *ScheduleEntry) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "entry %s %s%s:", e.Query.Kind, e.Query.Name, searchText(e.Search))
	for _, blk := range e.Blocks {
		b.WriteString(" " + s.Blocks[blk].Name)
	}
	if e.Root != NoTable {
		b.WriteString(", root " + s.tables(e.Root))
	}
	for i, t := range e.Outs {
		if i == 0 {
			b.WriteString(", outs")
		}
		b.WriteString(" " + s.tables(t))
	}
	return b.String() + e.Loop.text() + e.Chain.text()
}

// fixed names variables that are fixed.
func (s *Schedule) fixed(vars []model.VarID) string {
	if len(vars) == 0 {
		return ""
	}
	return " fixed " + s.scope(vars)
}

// scope names variables.
func (s *Schedule) scope(vars []model.VarID) string {
	names := make([]string, len(vars))
	for i, v := range vars {
		names[i] = s.Model.Vars[v].Name
	}
	return "{" + strings.Join(names, ",") + "}"
}

// tables names the product of tables.
func (s *Schedule) tables(ids ...TableID) string {
	names := make([]string, len(ids))
	for i, t := range ids {
		names[i] = fmt.Sprintf("t%d%s", t, s.scope(s.Tables[t].Scope))
	}
	return strings.Join(names, " * ")
}
