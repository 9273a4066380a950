package eval

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// sum runs the blocks of e at each joint state of its cutset that the evidence leaves possible, and
// leaves the sums as the answers. It ends early with the error of ctx.
func (m *Machine) sum(ctx context.Context, e *ir.Entry) error {
	x := pgmrt.NewCutset(m.cutsetPlan(e))
	for more := x.First(m.work, m.ints); more; more = x.Next(m.work, m.ints) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if e.Exp != ir.NoSpan {
			m.Ints(e.Exp)[0] = 0
		}
		m.runAll(e.Blocks)
	}
	return nil
}

// cutsetPlan returns the places of the numbers of e.
func (m *Machine) cutsetPlan(e *ir.Entry) *pgmrt.CutsetPlan {
	at := m.layout.offset
	plan := &pgmrt.CutsetPlan{Root: at[e.Root], Exp: -1}
	if e.Exp != ir.NoSpan {
		plan.Exp = at[e.Exp]
	}
	inputs := m.program.Inputs(e)
	for _, v := range e.Cutset {
		c := pgmrt.CutsetVar{State: at[m.program.State] + int(v), Card: m.model.Card(v), In: -1}
		if k := slices.IndexFunc(inputs, func(id ir.SpanID) bool { return m.program.Spans[id].Var == v }); k >= 0 {
			c.In = at[inputs[k]]
		}
		plan.Vars = append(plan.Vars, c)
	}
	for _, id := range e.Outs {
		span := &m.program.Spans[id]
		plan.Outs = append(plan.Outs, pgmrt.CutsetOut{At: at[id], N: span.Len, Cut: slices.Index(e.Cutset, span.Var)})
	}
	return plan
}
