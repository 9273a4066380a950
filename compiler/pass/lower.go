package pass

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Lower gives each table of a plan's schedule a span, and each operation axes and strides, and cuts its circuit into blocks of
// sums: the program that does what the plan says. Variables with one state vanish from table operations here. Spans have no
// place yet; see ProgramLayout.
func Lower(plan *ir.Plan) *ir.Program {
	s := plan.Schedule
	l := &lowering{s: s, span: make([]ir.SpanID, len(s.Tables)),
		p: &ir.Program{Name: s.Model.Name, Params: s.Params}}
	for i := range l.span {
		l.span[i] = ir.NoSpan
	}
	l.p.State = l.addSpan(ir.Span{Name: "state", Elem: ir.Int32, Role: ir.RoleOut, Len: len(s.Model.Vars), Var: -1})
	l.params(plan)
	for i, b := range s.Blocks {
		l.fixed, l.place = b.Fixed, places(s, &s.Blocks[i])
		block := ir.Block{Name: b.Name}
		for _, op := range b.Ops {
			block.Steps = append(block.Steps, l.step(op))
		}
		l.p.Blocks = append(l.p.Blocks, block)
	}
	for _, e := range s.Entries {
		entry := ir.Entry{Query: e.Query, Blocks: e.Blocks, Root: l.of(e.Root), Exp: ir.NoSpan, Search: e.Search}
		for _, t := range e.Outs {
			entry.Outs = append(entry.Outs, l.of(t))
		}
		entry.Loop = l.loop(e.Loop)
		entry.Chain = l.chain(e.Chain)
		l.p.Entries = append(l.p.Entries, entry)
	}
	if plan.Circuit != nil {
		l.circuit(plan.Circuit, false)
	}
	if plan.Max != nil {
		l.circuit(plan.Max, true)
	}
	return l.p
}

// params adds the spans of parameters, in the order of the model.
func (l *lowering) params(plan *ir.Plan) {
	var values [][]float64
	for _, c := range []*ir.Circuit{plan.Circuit, plan.Max} {
		if c != nil && c.Params != nil {
			values = c.Params
		}
	}
	table := map[int]ir.TableID{}
	for t := range l.s.Tables {
		if l.s.Tables[t].Role == ir.RoleParam {
			table[int(l.s.Tables[t].Factor)] = ir.TableID(t)
		}
	}
	m := l.s.Model
	l.param = make([]ir.SpanID, len(m.Factors))
	for i, f := range m.Factors {
		l.param[i] = ir.NoSpan
		switch t, ok := table[i]; {
		case ok:
			l.param[i] = l.of(t)
		case values != nil:
			l.param[i] = l.addSpan(ir.Span{Name: m.FactorName(f), Role: ir.RoleParam, Len: len(values[i]), Var: -1, Data: values[i]})
		}
	}
}

type lowering struct {
	s     *ir.Schedule
	p     *ir.Program
	span  []ir.SpanID   // by table; NoSpan where nothing has used it yet
	param []ir.SpanID   // by factor; NoSpan where its numbers are constants
	fixed []model.VarID // of the block at hand
	place []int         // of variables in it
}

func (l *lowering) addSpan(s ir.Span) ir.SpanID {
	s.Offset = -1
	l.p.Spans = append(l.p.Spans, s)
	return ir.SpanID(len(l.p.Spans) - 1)
}

// of is the span of a table.
func (l *lowering) of(t ir.TableID) ir.SpanID {
	if l.span[t] == ir.NoSpan {
		table := &l.s.Tables[t]
		l.span[t] = l.addSpan(ir.Span{Name: table.Name, Role: table.Role, Len: l.s.Size(t), Var: table.Var, Data: table.Data})
	}
	return l.span[t]
}

func (l *lowering) step(op ir.Op) ir.Step {
	switch op := op.(type) {
	case *ir.ContractOp:
		return l.contract(op)
	case *ir.PickOp:
		return l.pick(op)
	case *ir.NormalizeOp:
		return &ir.Normalize{Span: l.of(op.Table)}
	}
	if step := l.loopStep(op); step != nil {
		return step
	}
	if step := l.chainStep(op); step != nil {
		return step
	}
	if step := l.energyStep(op); step != nil {
		return step
	}
	panic("lower: unknown operation")
}

// scope is the union of the scopes of tables, in layout order, without variables of one state.
func (l *lowering) scope(tables ...ir.TableID) []model.VarID {
	return slices.DeleteFunc(union(l.s, l.place, tables...), func(v model.VarID) bool { return l.s.Model.Card(v) == 1 })
}

// contract orders the axes: fixed ones, then those of the result, then the reduced ones; but where the fastest variable
// is one of the result, that comes last, so that its contiguous elements lie in the innermost loop.
func (l *lowering) contract(op *ir.ContractOp) ir.Step {
	vars := l.scope(append(slices.Clone(op.In), op.Out)...)
	out := l.s.Tables[op.Out].Scope
	var fixed, kept, reduced []model.VarID
	for _, v := range vars {
		switch {
		case slices.Contains(l.fixed, v):
			fixed = append(fixed, v)
		case slices.Contains(out, v):
			kept = append(kept, v)
		default:
			reduced = append(reduced, v)
		}
	}
	c := &ir.Contract{Reduce: op.Reduce}
	if len(reduced) == 0 {
		c.Reduce = ir.ReduceNone
	}
	last := len(kept)
	if len(reduced) > 0 && len(kept) > 0 && vars[len(vars)-1] == kept[last-1] {
		last--
	}
	c.Axes = l.axes(c.Axes, fixed, ir.AxisFixed)
	c.Axes = l.axes(c.Axes, kept[:last], ir.AxisOut)
	c.Axes = l.axes(c.Axes, reduced, ir.AxisReduced)
	c.Axes = l.axes(c.Axes, kept[last:], ir.AxisOut)
	c.Out = l.view(op.Out, c.Axes)
	for _, t := range op.In {
		c.In = append(c.In, l.view(t, c.Axes))
	}
	return c
}

func (l *lowering) axes(axes []ir.Axis, vars []model.VarID, kind ir.AxisKind) []ir.Axis {
	for _, v := range vars {
		axes = append(axes, ir.Axis{Var: v, Size: l.s.Model.Width(v), Kind: kind})
	}
	return axes
}

// pick loops over the variable and holds the rest of the scopes at their states.
func (l *lowering) pick(op *ir.PickOp) ir.Step {
	p := &ir.Pick{Mode: op.Mode, Axes: l.axes(nil, []model.VarID{op.Var}, ir.AxisOut)}
	rest := slices.DeleteFunc(l.scope(op.In...), func(v model.VarID) bool { return v == op.Var })
	p.Axes = l.axes(p.Axes, rest, ir.AxisFixed)
	for _, t := range op.In {
		p.In = append(p.In, l.view(t, p.Axes))
	}
	return p
}

func (l *lowering) view(t ir.TableID, axes []ir.Axis) ir.View {
	vars := make([]model.VarID, len(axes))
	for i, a := range axes {
		vars[i] = a.Var
	}
	return ir.View{Span: l.of(t), Stride: stridesOf(l.s.Model, l.s.Tables[t].Scope, vars)}
}
