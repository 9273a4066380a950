package jointree

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// kmpe plans a step of the search for the k most probable completions: a most probable completion,
// and the max-marginals of all variables that are not latent.
func (b *builder) kmpe(q *ir.Query) ir.ScheduleEntry {
	b.upMax()
	e := ir.ScheduleEntry{Query: q, Root: b.maxUp.root, Search: true}
	e.Blocks = []int{b.block["upmax"], b.picks("trace", b.maxUp)}
	e.Outs = b.bounds("downmax", b.maxUp, b.observable(), false)
	e.Blocks = append(e.Blocks, b.block["downmax"])
	return e
}

// observable returns the discrete variables that are not latent.
func (b *builder) observable() []model.VarID {
	var vars []model.VarID
	for _, v := range b.p.Model.Vars {
		if !v.Latent && !b.p.Model.IsReal(v.ID) {
			vars = append(vars, v.ID)
		}
	}
	return vars
}

// bounds plans the downward pass after u as a block of the given name. For each of vars it returns
// a table of the root's value if the likelihood of the variable is 1 at one state and 0 elsewhere.
// If u has sums and maxima, these values are upper bounds: each table eliminates the other
// variables in an order of its own, and any order gives at least the value of all sums before all
// maxima. An answer has the likelihoods of its own variable too, and is normalised.
func (b *builder) bounds(name string, u *upward, vars []model.VarID, answer bool) []ir.TableID {
	d := &downward{upward: u, derivative: map[ir.TableID]ir.TableID{u.root: ir.NoTable}, exact: !answer}
	at := map[model.VarID]ir.TableID{}
	for i := len(u.ops) - 1; i >= 0; i-- {
		for _, t := range u.ops[i].In {
			v := b.s.Tables[t].Var
			switch role := b.s.Tables[t].Role; {
			case role == ir.RoleTemp:
				d.derive(u.ops[i], t)
			case role == ir.RoleIn && slices.Contains(vars, v):
				out := ir.Table{Name: "best with each " + b.p.Model.Vars[v].Name, Scope: []model.VarID{v}, Role: ir.RoleOut, Var: v}
				in := d.others(u.ops[i], t)
				if answer {
					in = append(in, t)
				}
				if at[v] = d.reduce(out, in); answer {
					d.ops = append(d.ops, &ir.NormalizeOp{Table: at[v]})
				}
			}
		}
	}
	b.s.Blocks = append(b.s.Blocks, ir.OpBlock{Name: name, Order: u.f.tree.Order(), Ops: d.ops})
	b.block[name] = len(b.s.Blocks) - 1
	outs := make([]ir.TableID, len(vars))
	for i, v := range vars {
		outs[i] = at[v]
	}
	return outs
}

// reduce adds the operations that reduce the product of in to the given table, sums before maxima.
func (d *downward) reduce(out ir.Table, in []ir.TableID) ir.TableID {
	in = d.covering(out.Scope, in)
	all := d.scopeOf(&ir.ContractOp{In: in})
	isMax := func(v model.VarID) bool { return d.max != nil && d.max[v] }
	gone := func(v model.VarID) bool { return !slices.Contains(out.Scope, v) && !d.f.fixed(v) }
	sums := slices.ContainsFunc(all, func(v model.VarID) bool { return gone(v) && !isMax(v) })
	maxima := slices.ContainsFunc(all, func(v model.VarID) bool { return gone(v) && isMax(v) })
	if sums && maxima {
		scope := slices.DeleteFunc(all, func(v model.VarID) bool { return gone(v) && !isMax(v) })
		between := d.add(ir.Table{Name: "sums for " + out.Name, Scope: scope, Role: ir.RoleTemp, Var: -1})
		d.ops = append(d.ops, &ir.ContractOp{Out: between, In: in, Reduce: ir.ReduceSum})
		in, sums = []ir.TableID{between}, false
	}
	how := ir.ReduceNone
	if sums {
		how = ir.ReduceSum
	} else if maxima {
		how = ir.ReduceMax
	}
	t := d.add(out)
	d.ops = append(d.ops, &ir.ContractOp{Out: t, In: in, Reduce: how})
	return t
}

// covering appends tables of ones to in for the variables of scope that no operand has.
func (d *downward) covering(scope []model.VarID, in []ir.TableID) []ir.TableID {
	all := d.scopeOf(&ir.ContractOp{In: in})
	for _, v := range scope {
		if !slices.Contains(all, v) {
			in = append(in, d.ones(v))
		}
	}
	return in
}

// ones adds a table over v that is 1 for every state.
func (b *builder) ones(v model.VarID) ir.TableID {
	data := slices.Repeat([]float64{1}, b.p.Model.Card(v))
	return b.add(ir.Table{Name: "any " + b.p.Model.Vars[v].Name, Scope: []model.VarID{v}, Role: ir.RoleConst, Var: -1, Data: data})
}
