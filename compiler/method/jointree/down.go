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
	d := &downward{upward: u, derivative: map[ir.TableID]ir.TableID{u.root: ir.NoTable}, unit: b.unit()}
	if last := u.ops[len(u.ops)-1]; !d.single(last.In) { // otherwise the root is a product of components
		d.derivative[u.root] = d.seed(u.root)
	}
	b.grow(len(u.ops) + len(b.lambda))
	b.out = map[model.VarID]ir.TableID{}
	for i := len(u.ops) - 1; i >= 0; i-- {
		for _, t := range u.ops[i].In {
			switch b.s.Tables[t].Role {
			case ir.RoleTemp:
				d.derive(u.ops[i], t)
			case ir.RoleIn:
				if v := b.s.Tables[t].Var; !u.f.fixed(v) {
					b.out[v] = d.posterior(u.ops[i], t)
				}
			}
		}
	}
	b.s.Blocks = append(b.s.Blocks, ir.OpBlock{Name: "down", Order: u.f.tree.Order(), Fixed: b.cut, Ops: d.ops})
	b.block["down"] = len(b.s.Blocks) - 1
	b.cutOuts()
	b.downward = d
}

// unit reports whether the downward passes begin with the reciprocal of the root, so that
// posteriors sum to 1. Numbers that may be replaced are rescaled on the way, and so may be those of
// fronts. A session runs again what depends on a finding, and the reciprocal depends on all of
// them.
func (b *builder) unit() bool {
	return b.p.Params == ir.Const && len(b.p.Fronts) == 0 && !b.p.Asks(ir.Session)
}

// downward is the downward pass under construction.
type downward struct {
	*upward
	ops        []ir.Op
	derivative map[ir.TableID]ir.TableID // of the root by a table of the upward pass; NoTable means the number 1
	exact      bool                      // factors that only scale an answer are kept
	unit       bool                      // the derivative of a component's root is its reciprocal, not 1
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
		d.derivative[t] = d.seed(t)
		return
	}
	scope := d.s.Tables[t].Scope
	d.derivative[t] = d.reduce(ir.Table{Name: d.set(scope) + " ← " + d.set(d.scopeOf(op)), Scope: scope, Role: ir.RoleTemp, Var: -1}, in)
}

// seed returns the table from which the downward pass of a component begins, instead of the
// derivative by its root t: the reciprocal of t, or NoTable.
func (d *downward) seed(t ir.TableID) ir.TableID {
	if !d.unit {
		return ir.NoTable
	}
	out := d.add(ir.Table{Name: "1 / (" + d.s.Tables[t].Name + ")", Role: ir.RoleTemp, Var: -1})
	d.ops = append(d.ops, &ir.InvertOp{Out: out, In: t})
	return out
}

// trivial reports whether the derivative by t is a single number that only scales posteriors, so
// that another may replace it. This holds at the root of a component of a forest, for the product
// of the other components.
func (d *downward) trivial(t ir.TableID, in []ir.TableID) bool {
	return len(d.s.Tables[t].Scope) == 0 && d.single(in) && (!d.exact || len(in) == 0)
}

// single reports whether all tables are single numbers.
func (d *downward) single(tables []ir.TableID) bool {
	return !slices.ContainsFunc(tables, func(t ir.TableID) bool { return len(d.s.Tables[t].Scope) > 0 })
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
