package ir

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Lowering turns a schedule into a program. It gives each table a span at its first use, and each
// operation axes and strides. It drops variables with one state from table operations. Spans have
// no place in memory yet.
type Lowering struct {
	Program *Program

	schedule *Schedule
	span     []SpanID // by table; NoSpan until its first use
	block    *OpBlock // the block that is being lowered
	place    []int    // places of variables in the layout order of that block
}

// NewLowering returns a lowering of s with a program that has a span for the states of the
// variables.
func NewLowering(s *Schedule) *Lowering {
	spans := make([]Span, 0, len(s.Tables)+1) // some for tables without a use
	l := &Lowering{Program: &Program{Name: s.Model.Name, Params: s.Params, Spans: spans}, schedule: s, span: make([]SpanID, len(s.Tables))}
	for i := range l.span {
		l.span[i] = NoSpan
	}
	l.Program.State = l.AddSpan(Span{Name: "state", Elem: Int32, Role: RoleOut, Len: len(s.Model.Vars), Var: -1})
	return l
}

// AddSpan adds a span without a place and returns its number.
func (l *Lowering) AddSpan(s Span) SpanID {
	s.Offset = -1
	l.Program.Spans = append(l.Program.Spans, s)
	return SpanID(len(l.Program.Spans) - 1)
}

// Span returns the span of a table, or NoSpan for NoTable.
func (l *Lowering) Span(t TableID) SpanID {
	if t == NoTable {
		return NoSpan
	}
	if l.span[t] == NoSpan {
		table := &l.schedule.Tables[t]
		l.span[t] = l.AddSpan(Span{Name: table.Name, Role: table.Role, Len: l.schedule.Size(t), Var: table.Var, Data: table.Data})
	}
	return l.span[t]
}

// Spans returns the spans of tables.
func (l *Lowering) Spans(tables []TableID) (ids []SpanID) {
	for _, t := range tables {
		ids = append(ids, l.Span(t))
	}
	return ids
}

// Block lowers the operations of b.
func (l *Lowering) Block(b *OpBlock) Block {
	l.block, l.place = b, l.schedule.Places(b)
	block := Block{Name: b.Name, Steps: make([]Step, 0, len(b.Ops))}
	for _, op := range b.Ops {
		block.Steps = append(block.Steps, op.Lower(l))
	}
	return block
}

// Entry lowers e. Blocks keep their numbers.
func (l *Lowering) Entry(e *ScheduleEntry) Entry {
	out := Entry{Query: e.Query, Blocks: e.Blocks, Root: l.Span(e.Root), Exp: NoSpan, Search: e.Search, Outs: l.Spans(e.Outs), Logs: l.Spans(e.Logs), Tilt: l.Spans(e.Tilt),
		Loop: e.Loop.lower(l), Chain: e.Chain.lower(l), Stream: e.Stream.lower(l), Cutset: e.Cutset}
	for _, u := range e.Utilities {
		out.Utilities = append(out.Utilities, Moments{In: l.Span(u.In), Values: l.Span(u.Values)})
	}
	return out
}

// scope returns the union of the scopes of tables, in layout order, without variables of one state.
func (l *Lowering) scope(tables ...TableID) []model.VarID {
	return slices.DeleteFunc(l.schedule.Union(l.place, tables...), func(v model.VarID) bool { return l.schedule.Model.Card(v) == 1 })
}
