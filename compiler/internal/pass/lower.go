package pass

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Lower returns the program of the plan. Each table of the schedule becomes a span and each
// operation gets axes and strides; operations lower themselves, see [ir.Lowering]. The circuits are
// cut into blocks of sums. Spans have no place yet; see ProgramLayout.
func Lower(plan *ir.Plan) *ir.Program {
	s := plan.Schedule
	l := ir.NewLowering(s)
	param := params(l, plan)
	for i := range s.Blocks {
		l.Program.Blocks = append(l.Program.Blocks, l.Block(&s.Blocks[i]))
	}
	for i := range s.Entries {
		l.Program.Entries = append(l.Program.Entries, l.Entry(&s.Entries[i]))
	}
	if plan.Circuit != nil {
		lowerCircuit(l, plan.Circuit, param, false)
	}
	if plan.Max != nil {
		lowerCircuit(l, plan.Max, param, true)
	}
	return l.Program
}

// params adds the spans of parameters in the order of the model. It returns them by factor, with
// NoSpan for factors with constant numbers.
func params(l *ir.Lowering, plan *ir.Plan) []ir.SpanID {
	var values [][]float64
	for _, c := range []*ir.Circuit{plan.Circuit, plan.Max} {
		if c != nil && c.Params != nil {
			values = c.Params
		}
	}
	table := map[int]ir.TableID{}
	for t := range plan.Schedule.Tables {
		if plan.Schedule.Tables[t].Role.IsParam() {
			table[int(plan.Schedule.Tables[t].Factor)] = ir.TableID(t)
		}
	}
	m := plan.Schedule.Model
	param := make([]ir.SpanID, len(m.Factors))
	for i, f := range m.Factors {
		param[i] = ir.NoSpan
		switch t, ok := table[i]; {
		case ok:
			param[i] = l.Span(t)
		case values != nil:
			param[i] = l.AddSpan(ir.Span{Name: m.FactorName(f), Role: ir.RoleParam, Len: len(values[i]), Var: -1, Data: values[i]})
		}
	}
	return param
}

// lowerCircuit adds the blocks and entries of a circuit. If max is set, its sums are maxima. param
// has the spans of parameters, by factor.
//
// Each node is either kept in memory or computed by the node that uses it: a product within the
// only sum that uses it, a sum within a sum. Kept nodes are computed in the order of their numbers.
// A number that no other block needs goes to a span of the block's own, which reuses its places.
func lowerCircuit(l *ir.Lowering, c *ir.Circuit, param []ir.SpanID, max bool) {
	k := &circuitLowering{Lowering: l, p: l.Program, c: c, param: param, max: max, first: len(l.Program.Blocks),
		likelihood: map[model.VarID]ir.SpanID{}, root: map[circuit.Node]ir.SpanID{}, out: map[model.VarID]ir.SpanID{}}
	k.inputs()
	k.findWalked()
	k.findTargets()
	k.keep()
	k.cut()
	k.emit()
	k.entries()
}
