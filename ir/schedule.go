package ir

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Schedule is a plan of table operations over sets of variables, before spans exist.
// Message-passing methods produce it, and a [Lowering] turns it into a Program. Blocks run in the
// order that an entry lists.
type Schedule struct {
	Model   *model.Model
	Params  ParamMode
	Tables  []Table
	Blocks  []OpBlock
	Entries []ScheduleEntry
}

// TableID is the index of a table in Schedule.Tables.
type TableID int

// NoTable means that there is no table.
const NoTable TableID = -1

// Table is a function of the joint states of its scope. The entries of a table over a real variable
// are described at model.RealWidth. The order of the scope is the layout, slowest variable first.
type Table struct {
	Name   string // the name in comments of generated code: "λ Smoke", "{Lung,Smoke} → {Lung}"
	Scope  []model.VarID
	Role   Role
	Factor int32       // for a table of parameters: the factor of the model whose parameters it holds; no two tables hold the same
	Var    model.VarID // for a RoleIn or RoleOut table
	Parts  int         // numbers for each joint state, part after part, each row-major; 0 counts as 1
	Data   []float64   // for a table of a read-only role, row-major
}

// OpBlock is a named sequence of operations. Each variable in Fixed has one known state while the
// block runs, so no operation loops over it. Order is the order of variables in the scopes of the
// block's tables, slowest first.
type OpBlock struct {
	Name  string
	Fixed []model.VarID
	Order []model.VarID
	Ops   []Op
}

// ScheduleEntry describes how one query runs: the blocks to run, in order, and the tables of its
// answer.
type ScheduleEntry struct {
	Query  *Query
	Blocks []int
	Root   TableID         // one number: the probability of the evidence, or of the best completion
	Outs   []TableID       // posteriors
	Logs   []TableID       // see [Entry]
	Tilt   []TableID       // see [Entry]
	Search bool            // see [Entry]
	Loop   *OpLoop         // nil if all blocks run once
	Chain  *OpChain        // nil if nothing is sampled
	Stream *ScheduleStream // nil unless the entry is about a slice of a sequence
	Cutset []model.VarID   // see [Entry]

	Utilities []OpMoments // of a Follow: of each of Query.Utilities
}

// Answers returns the tables from which the caller reads the answers of e: Outs, Logs, Tilt,
// Root, those of Utilities and those that leave by a stream, except absent ones.
func (e *ScheduleEntry) Answers() []TableID {
	list := append(slices.Concat(e.Outs, e.Logs, e.Tilt), e.Root)
	for _, u := range e.Utilities {
		list = append(list, u.In, u.Values)
	}
	if e.Stream != nil {
		list = append(list, e.Stream.Out...)
	}
	return presentTables(list...)
}

// Repeats reports whether some blocks of e run more than once.
func (e *ScheduleEntry) Repeats() bool { return e.Loop != nil || e.Chain != nil }

// turns returns the places of the blocks of e in the order in which they run, with the blocks of a
// loop twice.
func (e *ScheduleEntry) turns() []int {
	switch {
	case e.Chain != nil:
		return chainTurns(len(e.Blocks), e.Chain.Cut)
	case e.Loop != nil:
		return loopTurns(len(e.Blocks), e.Loop.First, e.Loop.End)
	}
	return loopTurns(len(e.Blocks), 0, 0)
}

// Size returns the number of entries of table t. A table of leaves, which has no scope, has as many
// as Data.
func (s *Schedule) Size(t TableID) int {
	if table := &s.Tables[t]; len(table.Scope) == 0 && table.Parts == 0 {
		return max(1, len(table.Data))
	}
	n := max(1, s.Tables[t].Parts)
	for _, v := range s.Tables[t].Scope {
		n *= s.Model.Width(v)
	}
	return n
}

// JointStates returns the number of joint states of the variables of tables that are not in fixed.
// The number is a float64, since it may exceed any integer.
type JointStates func(fixed []model.VarID, tables ...TableID) float64

// JointStates returns a counter for the tables of s. It uses only the scopes.
func (s *Schedule) JointStates() JointStates {
	seen, calls := make([]int, len(s.Model.Vars)), 0 // by variable: the last call that counted it
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

// Places returns, by variable, its place in the order of block b, by which scopes are sorted.
func (s *Schedule) Places(b *OpBlock) []int {
	place := make([]int, len(s.Model.Vars))
	for i, v := range b.Order {
		place[v] = i
	}
	return place
}

// Inputs returns the table of the evidence on each variable that has one.
func (s *Schedule) Inputs() map[model.VarID]TableID {
	in := map[model.VarID]TableID{}
	for i := range s.Tables {
		if t := &s.Tables[i]; t.Role == RoleIn {
			in[t.Var] = TableID(i)
		}
	}
	return in
}

// Union returns the variables of tables, sorted by place.
func (s *Schedule) Union(place []int, tables ...TableID) []model.VarID {
	var out []model.VarID
	for _, t := range tables {
		out = append(out, s.Tables[t].Scope...)
	}
	slices.SortFunc(out, func(x, y model.VarID) int { return place[x] - place[y] })
	return slices.Compact(out)
}

// Print writes s as text for people: one line per table, with its scope, role and numbers, and one
// line per operation, with scopes and sizes.
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

// entryText returns the line of an entry: its query, its blocks, the tables of its answers, and
// what repeats.
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
	for i, t := range e.Logs {
		if i == 0 {
			b.WriteString(", logs")
		}
		b.WriteString(" " + s.tables(t))
	}
	if len(e.Cutset) > 0 {
		b.WriteString(", cutset " + s.scope(e.Cutset))
	}
	for i, t := range e.Tilt {
		if i == 0 {
			b.WriteString(", tilt")
		}
		b.WriteString(" " + s.tables(t))
	}
	for _, u := range e.Utilities {
		b.WriteString(", moments " + s.tables(u.In, u.Values))
	}
	return b.String() + e.Stream.text(s) + e.Loop.text() + e.Chain.text()
}

// fixed writes variables that are fixed.
func (s *Schedule) fixed(vars []model.VarID) string {
	if len(vars) == 0 {
		return ""
	}
	return " fixed " + s.scope(vars)
}

// scope writes the names of variables.
func (s *Schedule) scope(vars []model.VarID) string {
	names := make([]string, len(vars))
	for i, v := range vars {
		names[i] = s.Model.Vars[v].Name
	}
	return "{" + strings.Join(names, ",") + "}"
}

// tables writes the product of tables.
func (s *Schedule) tables(ids ...TableID) string {
	names := make([]string, len(ids))
	for i, t := range ids {
		names[i] = fmt.Sprintf("t%d%s", t, s.scope(s.Tables[t].Scope))
	}
	return strings.Join(names, " * ")
}
