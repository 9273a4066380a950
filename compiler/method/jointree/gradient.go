package jointree

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// gradient plans the derivatives of P(evidence) by the numbers of every factor, after the downward
// pass. Each derivative is over the scope of its factor and correct up to a positive constant. The
// numbers of a factor, times their derivatives, sum to P(evidence) times that constant, which
// determines it (Darwiche 2003, section 4).
func (b *builder) gradient() {
	if b.derivatives != nil {
		return
	}
	b.down()
	d := &downward{upward: b.sumUp, derivative: b.downward.derivative}
	for _, op := range b.sumUp.ops {
		for _, t := range op.In {
			if b.s.Tables[t].Role == ir.RoleParam {
				d.byFactor(op, t)
			}
		}
	}
	factor := func(t ir.TableID) int32 { return b.s.Tables[t].Factor }
	slices.SortFunc(b.derivatives, func(x, y ir.TableID) int { return int(factor(x) - factor(y)) })
	b.s.Blocks = append(b.s.Blocks, ir.OpBlock{Name: "gradient", Order: b.sumUp.f.tree.Order(), Ops: d.ops})
	b.block["gradient"] = len(b.s.Blocks) - 1
}

// byFactor adds the operation that computes the derivative by t, the table of a factor and an
// operand of op.
func (d *downward) byFactor(op *ir.ContractOp, t ir.TableID) {
	table, in := d.s.Tables[t], d.others(op, t)
	out := d.add(ir.Table{Name: "derivative by " + table.Name, Scope: table.Scope, Role: ir.RoleOut, Factor: table.Factor, Var: -1})
	d.ops = append(d.ops, &ir.ContractOp{Out: out, In: in, Reduce: d.reduction(table.Scope, in)})
	d.derivatives = append(d.derivatives, out)
}
