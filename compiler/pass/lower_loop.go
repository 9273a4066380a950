package pass

import "github.com/pgmc-go/pgmc/ir"

// loop gives the numbers of a loop their spans.
func (l *lowering) loop(o *ir.OpLoop) *ir.Loop {
	if o == nil {
		return nil
	}
	loop := &ir.Loop{First: o.First, End: o.End, LoopOptions: o.LoopOptions,
		Residual: l.of(o.Residual), Rate: l.of(o.Rate), LogP: l.of(o.LogP), Bound: l.ofSome(o.Bound), Decode: l.decode(o.Decode)}
	loop.Priority = o.Priority
	for i, push := range o.Push {
		loop.Queue = append(loop.Queue, ir.Item{First: o.First + i, Push: push})
	}
	return loop
}

// loopStep is the step of an operation that only loops have; nil for others.
func (l *lowering) loopStep(op ir.Op) ir.Step {
	switch op := op.(type) {
	case *ir.DampOp:
		return &ir.Damp{Span: l.of(op.Table), New: l.of(op.New), Rate: l.of(op.Rate), Residual: l.of(op.Residual)}
	case *ir.BoltzmannOp:
		b := &ir.Boltzmann{Out: l.of(op.Out), Weight: l.ofSome(op.Weight)}
		for _, t := range op.In {
			b.In = append(b.In, l.of(t))
		}
		return b
	case *ir.PowersOp:
		s := &ir.Powers{Out: l.of(op.Out), Power: op.Power}
		for _, t := range op.In {
			s.In = append(s.In, l.of(t))
		}
		return s
	case *ir.TreeMeanOp:
		return l.treeMean(op)
	case *ir.TallyOp:
		return &ir.Tally{Kind: op.Kind, Factor: op.Factor, Total: l.of(op.Total), In: l.of(op.In), Alive: l.ofSome(op.Alive), Ref: l.ofSome(op.Ref)}
	}
	return nil
}

// ofSome is the span of a table that may be none.
func (l *lowering) ofSome(t ir.TableID) ir.SpanID {
	if t == ir.NoTable {
		return ir.NoSpan
	}
	return l.of(t)
}
