package pass

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// chain gives the numbers of a run of chains their spans.
func (l *lowering) chain(o *ir.OpChain) *ir.Chain {
	if o == nil {
		return nil
	}
	c := &ir.Chain{ChainOptions: o.ChainOptions, TrialOptions: o.TrialOptions, Cut: o.Cut}
	for _, t := range o.Run {
		c.Run = append(c.Run, l.of(t))
	}
	return c
}

// chainStep is the step of an operation that only samplers have; nil for others.
func (l *lowering) chainStep(op ir.Op) ir.Step {
	switch op := op.(type) {
	case *ir.ResampleOp:
		s := &ir.Resample{Row: l.row(&op.RowOp), Weights: l.of(op.Weights), Scaled: op.Scaled}
		for _, t := range op.Tallies {
			s.Tallies = append(s.Tallies, l.ofSome(t))
		}
		return s
	case *ir.SeekOp:
		s := &ir.Seek{Outcome: l.of(op.Outcome)}
		for i := range op.Levels {
			level := &op.Levels[i]
			s.Levels = append(s.Levels, ir.SeekLevel{Row: l.row(&level.RowOp), Weights: l.of(level.Weights), Back: level.Back})
		}
		return s
	case *ir.FoldOp:
		s := &ir.Fold{Kind: op.Kind}
		for i := range op.Stats {
			s.Stats[i], s.Run[i] = l.of(op.Stats[i]), l.of(op.Run[i])
		}
		return s
	case *ir.TrialOp:
		return l.trial(op)
	case *ir.KernelOp:
		return l.kernel(op)
	}
	return nil
}

// trial is the step of an operation of trials.
func (l *lowering) trial(op *ir.TrialOp) ir.Step {
	s := &ir.Trial{Kind: op.Kind, Vars: op.Vars}
	for _, t := range op.Run {
		s.Run = append(s.Run, l.of(t))
	}
	for i := range op.Levels {
		level := &op.Levels[i]
		s.Levels = append(s.Levels, ir.TrialLevel{Row: l.row(&level.RowOp), Weights: l.of(level.Weights), Near: level.Near})
	}
	for i := range op.Vars {
		s.First, s.Second = append(s.First, l.of(op.First[i])), append(s.Second, l.ofSome(op.Second[i]))
	}
	return s
}

// kernel has its memory in spans of their own: that for numbers is free for others between two runs, that for integers is kept, and shared
// by kernels that name it alike.
func (l *lowering) kernel(op *ir.KernelOp) ir.Step {
	s := &ir.Kernel{Func: op.Func, Numbers: op.Numbers, Sets: op.Sets}
	for _, t := range op.Reads {
		s.Reads = append(s.Reads, l.ofSome(t))
	}
	for _, t := range op.Writes {
		s.Writes = append(s.Writes, l.of(t))
	}
	s.Work = l.addSpan(ir.Span{Name: "work of " + op.Func, Role: ir.RoleTemp, Len: op.Work, Var: -1})
	s.Ints = ir.NoSpan
	for i := range l.p.Spans {
		if span := &l.p.Spans[i]; span.Elem == ir.Int32 && span.Name == op.Memory {
			s.Ints = ir.SpanID(i)
		}
	}
	if s.Ints == ir.NoSpan {
		s.Ints = l.addSpan(ir.Span{Name: op.Memory, Elem: ir.Int32, Role: ir.RolePersistent, Len: op.Ints, Var: -1})
	}
	return s
}

// row loops over the variables that are drawn, and holds the others at their states.
func (l *lowering) row(op *ir.RowOp) ir.Row {
	rest := map[model.VarID]bool{}
	for _, t := range op.In {
		for _, v := range l.s.Tables[t].Scope {
			rest[v] = true
		}
	}
	for _, tree := range op.Trees {
		for _, v := range l.s.Model.Factors[tree.Factor].Scope {
			rest[v] = true
		}
	}
	for _, v := range op.Vars {
		delete(rest, v)
	}
	var fixed []model.VarID
	for v := range rest {
		fixed = append(fixed, v)
	}
	slices.Sort(fixed)
	row := ir.Row{Axes: l.axes(l.axes(nil, op.Vars, ir.AxisOut), fixed, ir.AxisFixed)}
	for _, t := range op.In {
		row.In = append(row.In, l.view(t, row.Axes))
	}
	for _, tree := range op.Trees {
		row.Trees = append(row.Trees, ir.TreeView{Leaves: l.of(tree.Leaves), Child: tree.Child, Nodes: tree.Nodes})
	}
	return row
}
