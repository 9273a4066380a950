package ir

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// MapOp is the operation of [Map]. It runs the code for each joint state of the discrete variables
// of its tables. Results are sums over the variables that no result has.
type MapOp struct {
	In, Out []MapPart
	Consts  []float64
	Code    []Instr
	Set     []int32
}

// MapPart is a part of a table; see Table.Parts. The parts of the evidence on a real variable, and
// of its answer, are those that model.RealWidth describes.
type MapPart struct {
	Table TableID
	Part  int
}

// Tables implements [Op].
func (op *MapOp) Tables(visit TableVisitor) {
	for _, p := range op.In {
		visit.one(p.Table, Read)
	}
	for _, p := range op.Out {
		visit.one(p.Table, Write)
	}
}

// States implements [Op].
func (*MapOp) States(*Schedule, StateVisitor) {}

// all returns the tables of op, without repeats.
func (op *MapOp) all() (tables []TableID) {
	op.Tables(func(t TableID, _ Use) {
		if !slices.Contains(tables, t) {
			tables = append(tables, t)
		}
	})
	return tables
}

// Entries returns the number of joint states for which the code runs.
func (op *MapOp) Entries(joint JointStates, b *OpBlock) float64 {
	return joint(b.Fixed, op.all()...)
}

// Products implements [Op].
func (op *MapOp) Products(joint JointStates, b *OpBlock) float64 {
	return op.Entries(joint, b) * float64(len(op.Code))
}

// Text implements [Op].
func (op *MapOp) Text(s *Schedule) string {
	tables := WriteTables(op)
	slices.Sort(tables)
	return fmt.Sprintf("%s by %d instructions", s.tables(slices.Compact(tables)...), len(op.Code))
}

func (op *MapOp) verify(v *scheduleVerifier, _ *OpBlock) {
	for _, p := range slices.Concat(op.In, op.Out) {
		if !v.tables(p.Table) {
			return
		}
		if n := v.s.parts(p.Table); p.Part < 0 || p.Part >= n {
			v.errorf("uses part %d of t%d, which has %d", p.Part, p.Table, n)
		}
	}
	for _, p := range op.Out {
		v.writable(p.Table)
	}
	if len(op.Set) != len(op.Out) {
		v.errorf("%d values for %d results", len(op.Set), len(op.Out))
	}
}

// parts returns the number of parts of a table.
func (s *Schedule) parts(t TableID) int {
	if table := &s.Tables[t]; len(table.Scope) == 1 && s.Model.IsReal(table.Scope[0]) {
		return max(1, table.Parts) * model.RealWidth
	}
	return max(1, s.Tables[t].Parts)
}

// Lower implements [Op]. The axes of the results come first.
func (op *MapOp) Lower(l *Lowering) Step {
	kept := map[model.VarID]bool{}
	for _, p := range op.Out {
		for _, v := range l.schedule.Tables[p.Table].Scope {
			kept[v] = true
		}
	}
	s := &Map{Consts: op.Consts, Code: op.Code, Set: op.Set}
	vars := slices.DeleteFunc(l.scope(op.all()...), l.schedule.Model.IsReal)
	of := func(kind AxisKind, has func(model.VarID) bool) {
		s.Axes = l.axes(s.Axes, slices.DeleteFunc(slices.Clone(vars), func(v model.VarID) bool { return !has(v) }), kind)
	}
	fixed := func(v model.VarID) bool { return slices.Contains(l.block.Fixed, v) }
	of(AxisFixed, fixed)
	of(AxisOut, func(v model.VarID) bool { return kept[v] && !fixed(v) })
	of(AxisReduced, func(v model.VarID) bool { return !kept[v] && !fixed(v) })
	s.In, s.Out = l.mapViews(op.In, s.Axes), l.mapViews(op.Out, s.Axes)
	s.Scratch = l.AddSpan(Span{Name: "registers", Role: RoleTemp, Len: max(1, s.ScratchLen()), Var: -1})
	return s
}

// mapViews returns the elements of parts along axes.
func (l *Lowering) mapViews(parts []MapPart, axes []Axis) (views []MapView) {
	for _, p := range parts {
		at := p.Part * (l.schedule.Size(p.Table) / l.schedule.parts(p.Table))
		views = append(views, MapView{View: l.view(p.Table, axes), At: at})
	}
	return views
}
