package jointree

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// down plans the downward pass of the main tree: the derivative of the root by every table of the
// upward pass that depends on evidence, and the posteriors, which follow from the derivatives by
// likelihoods.
func (b *builder) down() {
	if b.out != nil {
		return
	}
	b.upSum()
	u := b.sumUp
	d := &downward{upward: u, derivative: map[ir.TableID]ir.TableID{u.root: ir.NoTable}}
	b.out = map[model.VarID]ir.TableID{}
	for i := len(u.ops) - 1; i >= 0; i-- {
		for _, t := range u.ops[i].In {
			switch b.s.Tables[t].Role {
			case ir.RoleTemp:
				d.derive(u.ops[i], t)
			case ir.RoleIn:
				b.out[b.s.Tables[t].Var] = d.posterior(u.ops[i], t)
			}
		}
	}
	b.s.Blocks = append(b.s.Blocks, ir.OpBlock{Name: "down", Order: u.f.tree.Order(), Ops: d.ops})
	b.block["down"] = len(b.s.Blocks) - 1
	b.downward = d
}

// downward is the downward pass under construction.
type downward struct {
	*upward
	ops        []ir.Op
	derivative map[ir.TableID]ir.TableID // of the root by a table of the upward pass; NoTable means the number 1
	exact      bool                      // factors that only scale an answer are kept
}

// others returns the operands of the derivative by operand t of op: the derivative by op's result,
// and the other operands of op.
func (d *downward) others(op *ir.ContractOp, t ir.TableID) []ir.TableID {
	var in []ir.TableID
	if out := d.derivative[op.Out]; out != ir.NoTable {
		in = append(in, out)
	}
	for _, x := range op.In {
		if x != t {
			in = append(in, x)
		}
	}
	return in
}

// derive adds the operation that computes the derivative by t, an operand of op.
func (d *downward) derive(op *ir.ContractOp, t ir.TableID) {
	in := d.others(op, t)
	if d.trivial(t, in) {
		d.derivative[t] = ir.NoTable
		return
	}
	scope := d.s.Tables[t].Scope
	d.derivative[t] = d.reduce(ir.Table{Name: d.set(scope) + " ← " + d.set(d.scopeOf(op)), Scope: scope, Role: ir.RoleTemp, Var: -1}, in)
}

// trivial reports whether the derivative by t is a single number that only scales posteriors, so
// that 1 may replace it. This holds at the root of a component of a forest, for the product of the
// other components.
func (d *downward) trivial(t ir.TableID, in []ir.TableID) bool {
	if len(d.s.Tables[t].Scope) > 0 || d.exact && len(in) > 0 {
		return false
	}
	for _, x := range in {
		if len(d.s.Tables[x].Scope) > 0 {
			return false
		}
	}
	return true
}

// posterior adds the operations that compute the posterior of the variable whose likelihood is
// operand t of op.
func (d *downward) posterior(op *ir.ContractOp, t ir.TableID) ir.TableID {
	v := d.s.Tables[t].Var
	in := append(d.others(op, t), t)
	name := d.p.Model.Vars[v].Name
	out := d.add(ir.Table{Name: "P(" + name + " | evidence)", Scope: []model.VarID{v}, Role: ir.RoleOut, Var: v})
	d.ops = append(d.ops,
		&ir.ContractOp{Out: out, In: in, Reduce: d.reduction([]model.VarID{v}, in)},
		&ir.NormalizeOp{Table: out})
	return out
}

func (d *downward) reduction(scope []model.VarID, in []ir.TableID) ir.Reduce {
	if d.reduces(scope, in) {
		return ir.ReduceSum
	}
	return ir.ReduceNone
}

// scopeOf returns the union of the scopes of op's operands, in layout order.
func (d *downward) scopeOf(op *ir.ContractOp) []model.VarID {
	var scope []model.VarID
	for _, t := range op.In {
		for _, v := range d.s.Tables[t].Scope {
			if !slices.Contains(scope, v) {
				scope = append(scope, v)
			}
		}
	}
	d.f.tree.Sort(scope)
	return scope
}
