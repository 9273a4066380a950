package pass

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// energyStep is the step of an operation on energies; nil for others.
func (l *lowering) energyStep(op ir.Op) ir.Step {
	switch op := op.(type) {
	case *ir.MinSumOp:
		return l.minSum(op)
	case *ir.SpreadOp:
		return &ir.Spread{Base: l.of(op.Base), In: l.all(op.In), Out: l.all(op.Out), Divide: op.Divide, Belief: l.of(op.Belief), Alive: l.of(op.Alive),
			Bound: l.ofSome(op.Bound), Residual: l.ofSome(op.Residual), Rate: l.ofSome(op.Rate), Share: op.Share}
	case *ir.EnergyOp:
		return &ir.Energy{Out: l.of(op.Out), Weight: l.ofSome(op.Weight), In: l.all(op.In)}
	case *ir.ChooseOp:
		return &ir.Choose{Axis: ir.Axis{Var: op.Var, Size: l.s.Model.Card(op.Var)}, In: l.all(op.In), Final: op.Final,
			Value: l.of(op.Value), Ties: l.of(op.Ties), Belief: l.of(op.Belief)}
	case *ir.JudgeOp:
		s := &ir.Judge{Best: l.addSpan(ir.Span{Name: "best states", Elem: ir.Int32, Role: ir.RolePersistent, Len: len(l.s.Model.Vars), Var: -1})}
		for i, t := range op.Run {
			s.Run[i] = l.of(t)
		}
		return s
	}
	return nil
}

func (l *lowering) minSum(op *ir.MinSumOp) ir.Step {
	s := &ir.MinSum{Out: l.of(op.Out), Table: l.of(op.Table), In: l.all(op.In), To: -1}
	for i, v := range op.Looping(l.s) {
		a := ir.Axis{Var: v, Size: l.s.Model.Card(v)}
		if slices.Contains(op.Standing, v) {
			a.Kind = ir.AxisFixed
		} else if v == op.To {
			s.To = i
		}
		s.Axes = append(s.Axes, a)
	}
	return s
}

// all are the spans of tables, of which some may be none.
func (l *lowering) all(tables []ir.TableID) (ids []ir.SpanID) {
	for _, t := range tables {
		ids = append(ids, l.ofSome(t))
	}
	return ids
}

// decode gives what a loop leaves its spans.
func (l *lowering) decode(d *ir.OpDecode) *ir.Decode {
	if d == nil {
		return nil
	}
	return &ir.Decode{Bound: l.ofSome(d.Bound), Slack: l.ofSome(d.Slack), Ties: l.of(d.Ties), Exact: d.Exact}
}
